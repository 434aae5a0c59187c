"""Record what Stan's own ADVI draws and finds on small densities.

    python make_advi_reference.py VENV

needs g++ and a virtual environment with httpstan, whose headers it compiles against.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
FLAGS = ("-std=c++17", "-O0", "-w", "-DSTAN_THREADS", "-D_REENTRANT", "-DBOOST_DISABLE_ASSERTS",
         "-DBOOST_PHOENIX_NO_VARIADIC_EXPRESSION", "-D_GLIBCXX_USE_CXX11_ABI=0")  # fmt: skip


def main(venv: Path) -> None:
    (httpstan,) = venv.glob("lib/python*/site-packages/httpstan")
    include, lib = httpstan / "include", httpstan / "lib"
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "advi"
        command = ["g++", *FLAGS, f"-I{include}", HERE / "advi_reference.cpp", "-o", program,
                   f"-L{lib}", "-ltbb", f"-Wl,-rpath,{lib}"]  # fmt: skip
        subprocess.run(command, check=True)
        text = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    cases = json.loads(text)
    (HERE / "advi_reference.json").write_text(json.dumps(cases, indent=None) + "\n")
    print(*(f"{len(case['draws'])} draws {case['failure']}" for case in cases), sep="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
