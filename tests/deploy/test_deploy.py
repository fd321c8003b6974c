"""The files under deploy/: that they are what they claim, and that what they start runs as they start it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from assistant.factory import AssistantFactory
from assistant.settings import Settings
from tests.test_house import project
from ui.cli.commands.web import listen, web
from ui.operations.secrets import SECRET_VARIABLES

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
QUESTION = "Which backend does TCPStore use by default in 2.4?"
TOKEN = "a-token-of-24-characters"
VARIABLES = {f"TORCHNOTES_{name.upper()}" for name in Settings.__dataclass_fields__} | {*SECRET_VARIABLES}


def instructions() -> list[tuple[str, str]]:
    """Instructions of the container file, each with what follows it."""
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    lines = re.sub(r"\\\n\s*", "", re.sub(r"(?m)^#.*\n", "", text)).splitlines()
    return [(word, rest) for line in lines if line for word, _, rest in [line.partition(" ")]]


def last_stage() -> dict[str, str]:
    """The last of each kind of instruction of the image itself."""
    told = instructions()
    start = max(n for n, (word, _) in enumerate(told) if word == "FROM")
    return dict(told[start:])


def compose() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    return read


def unit() -> ConfigParser:
    parser = ConfigParser(interpolation=None, strict=True, delimiters="=")
    parser.optionxform = str  # type: ignore[assignment]
    parser.read(DEPLOY / "torchnotes.service", encoding="utf-8")
    return parser


def options(command: list[str]) -> None:
    """Parse the options of `torchnotes web`, which refuses what it does not know."""
    assert command[0] == "web"
    web.make_context("web", command[1:], resilient_parsing=False)


def test_the_image_has_no_rights_and_what_it_copies_is_there() -> None:
    told, last = instructions(), last_stage()
    assert last["USER"] == "10001:10001" and last["VOLUME"] == "/data" and last["STOPSIGNAL"] == "SIGTERM"
    kept = re.findall(r"(?m)^!(\S+)", (ROOT / ".dockerignore").read_text(encoding="utf-8"))
    for word, rest in told:
        if word == "COPY" and not rest.startswith("--from"):
            *sources, _ = rest.split()
            for source in sources:
                assert (ROOT / source).exists(), source
                assert any(Path(source).is_relative_to(each) for each in kept), f"{source} is left out"
        assert word != "ADD" and "TOKEN" not in rest and "PASSWORD" not in rest
    assert json.loads(last["ENTRYPOINT"]) == ["torchnotes"]
    options(json.loads(last["CMD"]))
    names = re.findall(r"(TORCHNOTES_\w+)=", last["ENV"])
    assert names and set(names) <= VARIABLES


def test_the_image_has_all_packages_of_the_project() -> None:
    find = project()["tool"]["setuptools"]["packages"]["find"]["include"]
    copied = {rest.split()[0] for word, rest in instructions() if word == "COPY"}
    assert {each.rstrip("*") for each in find} <= copied


def test_what_is_installed_is_known_by_its_hash() -> None:
    runs = [rest for word, rest in instructions() if word == "RUN" and "install.sh" in rest]
    extras = project()["project"]["optional-dependencies"].keys()
    assert len(runs) == 2
    for run in runs:
        script, target, step, *asked = run.split()
        assert target == "/opt/torchnotes" and set(asked) <= extras
        printed = subprocess.run(
            [ROOT / script, "--print", target, step, *asked],
            capture_output=True,
            encoding="utf-8",
            check=True,
            env={"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"},
        ).stdout
        installs = [line for line in printed.splitlines() if " install " in line]
        assert installs
        for line in installs:
            assert "--require-hashes" in line or line.endswith("--no-deps --no-build-isolation . ")
    refused = subprocess.run([DEPLOY / "install.sh", "x", "y"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2 and "there are packages and project" in refused.stderr


def test_the_services_have_no_rights_and_a_root_that_is_read_only() -> None:
    services = compose()["services"]
    assert services.keys() == {"web", "model"} and services["model"]["profiles"] == ["model"]
    for service in services.values():
        assert service["read_only"] and service["cap_drop"] == ["ALL"] and service["init"]
        assert service["security_opt"] == ["no-new-privileges:true"] and service["tmpfs"]
        assert not service.get("privileged") and int(service["user"].partition(":")[0]) > 0
    served = services["web"]
    assert served["user"] == last_stage()["USER"] and "healthcheck" in services["model"]
    assert served["environment"].keys() <= VARIABLES
    assert served["environment"]["TORCHNOTES_PASSWORD"].startswith("${TORCHNOTES_PASSWORD:?")
    assert all(port.startswith("127.0.0.1:") for port in served["ports"])
    assert {volume.partition(":")[2] for volume in served["volumes"]} == {last_stage()["VOLUME"]}
    context = (DEPLOY / served["build"]["context"]).resolve()
    assert (context / served["build"]["dockerfile"]).samefile(DEPLOY / "Containerfile")
    drain = float(served["environment"]["TORCHNOTES_DRAIN_SECONDS"])
    assert float(served["stop_grace_period"].rstrip("s")) >= drain + 10


def test_the_unit_is_valid(tmp_path: Path) -> None:
    service = unit()["Service"]
    path, *arguments = shlex.split(service["ExecStart"])
    options(arguments)
    assert service["DynamicUser"] == "yes" and service["NoNewPrivileges"] == "yes"
    assert set(re.findall(r"(TORCHNOTES_\w+)=", service["Environment"])) <= VARIABLES
    assert float(service["TimeoutStopSec"]) >= Settings(Path("x")).drain_seconds + 10
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    text = (DEPLOY / "torchnotes.service").read_text(encoding="utf-8")
    copy = tmp_path / "torchnotes.service"
    copy.write_text(text.replace(path, sys.executable), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", copy], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_prometheus_reads_the_metrics_with_the_token() -> None:
    (job,) = yaml.safe_load((DEPLOY / "prometheus.yml").read_text(encoding="utf-8"))["scrape_configs"]
    assert job.get("metrics_path", "/metrics") == "/metrics" and "credentials_file" in job["authorization"]


def held(home: Path) -> list[str]:
    """What gives a process a read-only root and another user, [] where bubblewrap cannot."""
    if shutil.which("bwrap") is None:
        return []
    command = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"]
    shown = [ROOT, home, *(Path(path) for path in sys.path if path.startswith("/tmp/"))]
    binds = [
        word for path in shown if path.is_relative_to("/tmp") for word in ("--ro-bind", str(path), str(path))
    ]
    command += [*binds, "--bind", str(home), str(home), "--unshare-user", "--uid", "10001", "--gid", "10001"]
    works = subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0
    return [*command, "--die-with-parent", "--"] if works else []


@pytest.mark.long
def test_what_the_unit_starts_serves_and_ends_as_it_should(factory: AssistantFactory, tmp_path: Path) -> None:
    """In a clean environment; with bubblewrap also on a root that is read-only, as another user."""
    home = tmp_path / "home"
    shutil.copytree(factory.settings.home, home, ignore=shutil.ignore_patterns("vectors"))
    with listen("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    service = unit()["Service"]
    arguments = shlex.split(service["ExecStart"])[1:]
    arguments[arguments.index("--port") + 1] = str(port)
    given = dict(pair.split("=", 1) for pair in service["Environment"].split())
    environment = {name: value.replace("%S/torchnotes", str(home)) for name, value in given.items()}
    environment |= {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": ":".join(path for path in sys.path if path),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TORCHNOTES_SHIPPED_CORPUS": "false",
        "TORCHNOTES_METRICS_TOKEN": TOKEN,
        "OMP_NUM_THREADS": "1",
    }
    start = "import sys; from ui.cli.main import main; sys.exit(main(sys.argv[1:]))"
    process = subprocess.Popen(
        [*held(home), sys.executable, "-c", start, *arguments],
        cwd=home,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        told = watched(f"http://127.0.0.1:{port}", process)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0, err
    lines = [json.loads(line) for line in err.splitlines()]
    answered = [line for line in lines if line.get("ending") == "answered"]
    assert answered[-1]["index"] == told["versions"]["index"] and answered[-1]["request"]
    assert QUESTION not in err and TOKEN not in err


def end(process: subprocess.Popen[str]) -> None:
    """Send SIGTERM to a process, or to what bubblewrap holds for it, which would be killed with it."""
    inner = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    children = inner.read_text(encoding="ascii").split() if process.args[0] == "bwrap" else []  # type: ignore[index]
    with contextlib.suppress(ProcessLookupError):
        os.kill(int(children[0]) if children else process.pid, signal.SIGTERM)


def watched(address: str, process: subprocess.Popen[str]) -> dict[str, Any]:
    """Use a server as operators do; an answer that was asked for before it was told to stop."""
    with httpx.Client(base_url=address, timeout=60) as client:
        until = time.monotonic() + 180  # a loaded machine
        while process.poll() is None and time.monotonic() < until:
            try:
                if client.get("/readyz").status_code == 200:
                    break
            except httpx.HTTPError:
                pass
            time.sleep(0.1)
        health = next(rest for word, rest in instructions() if word == "HEALTHCHECK")
        check = json.loads(health.partition("CMD ")[2])
        check = [sys.executable, *(word.replace("http://127.0.0.1:7860", address) for word in check[1:])]
        assert subprocess.run(check, check=False).returncode == 0
        authorization = {"authorization": f"Bearer {TOKEN}"}
        forwarded = {"x-forwarded-for": "192.0.2.1"}
        assert client.get("/metrics", headers=forwarded).status_code == 403
        metrics = client.get("/metrics", headers=forwarded | authorization).text
        families = {each.name: each.samples for each in text_string_to_metric_families(metrics)}
        assert families["torchnotes_ready"][0].value == 1
        assert families["torchnotes_index_documents"][0].value > 0

        replies: list[dict[str, Any]] = []

        def ask() -> None:
            sent = {"data": [QUESTION, None, None, "", True]}
            call = f"{address}/gradio_api/call/ask"
            event = httpx.post(call, json=sent, timeout=60).json()["event_id"]
            told = httpx.get(f"{call}/{event}", timeout=60).text  # a stream, as the page reads it
            kind, _, data = told.strip().split("\n\n")[-1].partition("\ndata: ")
            assert kind == "event: complete", told
            replies.append(json.loads(data)[0])

        asking = threading.Thread(target=ask)
        asking.start()
        while not replies and running(client) == 0:
            time.sleep(0.005)
        end(process)
        asking.join(60)
    assert replies and replies[0]["citations"], "an answer in flight ends"
    return replies[0]


def running(client: httpx.Client) -> float:
    """Questions that are being answered."""
    found = re.search(r"(?m)^torchnotes_questions_running (\S+)$", client.get("/metrics").text)
    return float(found[1]) if found else 0.0
