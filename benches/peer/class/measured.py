"""Processor time of a process and its children."""

import os
import resource
import subprocess
import sys


def of_children():
    """Seconds of processor time of all processes so far that this one has waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def seconds(command, folder):
    """Runs a command on one thread; returns its seconds of processor time, and ends if it fails."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(folder)}
    before = of_children()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    return of_children() - before
