"""The server of known pace, started as an engine is: MODEL --host H --port P, and its options.

`PACED_TTFT_S` in the environment sets the time to first token, `--refuse-to-start` ends with
an error.
"""

import os
import runpy
import sys
from pathlib import Path

if __name__ == "__main__":
    words = sys.argv[1:]
    if any(word.startswith("--help") for word in words):
        print("  --gap-s S\n  --max-running N\n  --served-model-name NAME\n  --refuse-to-start")
        sys.exit(0)
    if "--refuse-to-start" in words:
        sys.exit("ImportError: no kernel of that kind here")
    given = dict(zip(words[1::2], words[2::2], strict=True))
    options = {"--ttft-s": os.environ.get("PACED_TTFT_S", "0.05")}
    own = {"--host", "--port", "--served-model-name"}
    options |= {name: value for name, value in given.items() if name not in own}
    script = Path(__file__).with_name("paced_server.py")
    sys.argv = [str(script), given["--port"], *(w for pair in options.items() for w in pair)]
    sys.path.insert(0, str(script.parent))
    runpy.run_path(str(script), run_name="__main__")
