"""What the benchmarks beside PyTorch share: building, running, timing."""

import json
import os
import pathlib
import resource
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def build(bench):
    """Builds a benchmark of the kit and returns its program."""
    command = ["cargo", "bench", "-p", "softmark-kit", "--bench", bench, "--no-run", "--message-format=json"]
    out = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for line in out.splitlines():
        message = json.loads(line)
        if message.get("target", {}).get("name") == bench and message.get("executable"):
            return message["executable"]
    sys.exit(f"cargo built no benchmark `{bench}`: run `cargo bench -p softmark-kit --no-run`")


def figures(command, threads):
    """What one process prints last."""
    # Handing freed memory back to the system and asking for it again costs a tenth of a step. The third
    # is what .cargo/config.toml sets for all that cargo runs.
    environment = os.environ | {
        "RAYON_NUM_THREADS": str(threads),
        "MIMALLOC_PURGE_DELAY": "-1",
        "CANDLE_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
    }
    out = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    return json.loads(out.splitlines()[-1])


def time_steps(steps, step):
    """Times steps after three that are not counted, and prints a line of JSON."""
    wall, cpu = [], []
    for n in range(int(steps) + 3):
        start, used = time.perf_counter(), time.process_time()
        step()
        if n >= 3:
            wall.append((time.perf_counter() - start) * 1e3)
            cpu.append((time.process_time() - used) * 1e3)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps({"wall": wall, "cpu": cpu, "peak_mb": peak}))
