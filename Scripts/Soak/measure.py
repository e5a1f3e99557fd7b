"""Runs a command, and measures the resources that it takes."""

import multiprocessing
import os
import stat
import subprocess
import time
from dataclasses import dataclass, field


@dataclass
class Measurement:
    code: int = 0
    output: str = ""
    wall: float = 0
    processor: float = 0  # user + sys, in seconds
    memory: int = 0  # the highest resident size of the process, in bytes
    descriptors: int = 0  # the highest number seen open
    disk: int = 0  # the highest number of allocated bytes seen, including deleted files that are still open
    runs: list = field(default_factory=list)

    @staticmethod
    def of_all(runs):
        """One measurement of many runs: the sum of the times, and the maximum of everything else."""
        worst = next((run for run in runs if run.code != 0), runs[-1])
        return Measurement(worst.code, worst.output, sum(run.wall for run in runs), sum(run.processor for run in runs),
                           max(run.memory for run in runs), max(run.descriptors for run in runs),
                           max(run.disk for run in runs), runs)


def measure(command, folder):
    """Runs a command in a folder. Descriptors and disk use are sampled a few times a second: short peaks are missed."""
    result = Measurement()
    with open(folder.with_suffix(".log"), "w+b") as log:
        start = time.monotonic()
        process = subprocess.Popen([str(word) for word in command], cwd=folder, stdin=subprocess.DEVNULL,
                                   stdout=log, stderr=subprocess.STDOUT)
        pause = 0.005
        while True:
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
            if ended:
                break
            files = open_files(process.pid)
            result.descriptors = max(result.descriptors, len(files))
            result.disk = max(result.disk, allocated(folder, files))
            time.sleep(pause)
            pause = min(pause * 1.2, 0.25)
        result.wall = time.monotonic() - start
        result.code = process.returncode = os.waitstatus_to_exitcode(status)
        result.processor = usage.ru_utime + usage.ru_stime
        result.memory = usage.ru_maxrss * 1024
        log.seek(0)
        result.output = log.read().decode(errors="replace").strip()
    return result


def open_files(process):
    found = []
    try:
        for name in os.listdir(f"/proc/{process}/fd"):
            try:
                found.append(os.stat(f"/proc/{process}/fd/{name}"))
            except OSError:
                found.append(None)  # closed meanwhile
    except OSError:
        pass  # the process has just ended
    return found


def allocated(folder, files=()):
    """Bytes on disk; each file counts once, however many names it has."""
    sizes = {(file.st_dev, file.st_ino): file.st_blocks for file in files
             if file and stat.S_ISREG(file.st_mode) and file.st_nlink == 0}
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                file = os.lstat(os.path.join(parent, name))
                sizes[(file.st_dev, file.st_ino)] = file.st_blocks
            except OSError:
                pass  # removed meanwhile
    return 512 * sum(sizes.values())


def aside(function, *arguments):
    """Calls a function in a process of its own. Linux counts the memory of the process that starts another one as
    memory of the new one, so large values must never be in this one."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.apply(function, arguments)
