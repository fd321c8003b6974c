"""An installed device extension is loaded with torch, unless an environment variable says no."""

from pathlib import Path

import kit

site = Path("site").absolute()
metadata = site / "torch_trial-0.1.dist-info"
metadata.mkdir(parents=True)
(metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: torch-trial\nVersion: 0.1\n")
(metadata / "entry_points.txt").write_text("[torch.backends]\ntorch_trial = torch_trial:autoload\n")
(site / "torch_trial.py").write_text("def autoload():\n    import sys\n    sys.stdout.write('loaded')\n")


def loads(switch: str = "") -> bool:
    """Whether `import torch` in a new process loads the extension."""
    said = kit.child("import torch", PYTHONPATH=str(site), TORCH_DEVICE_BACKEND_AUTOLOAD=switch)
    return "loaded" in said


kit.fact("loaded by default", loads())
kit.fact("loaded with TORCH_DEVICE_BACKEND_AUTOLOAD=0", loads("0"))
