"""Attacks migrations of the built tool: at one call to the file system after another, the process is killed, a write torn,
or an error returned, and the power fails. Afterwards the store must be the old one or the new one, whole, and the next run
must end well.

attack.py --tools FOLDER [--quick | --full] [SCENARIO...]
"""

import argparse
import collections
import errno
import os
import shutil
import signal
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from powerloss import LOSSES, lose
from scenarios import KILLED, SCENARIOS, Template

# A fault: what the preloaded library does, at which calls, with which error.
Fault = collections.namedtuple("Fault", "name mode calls error")
FAULTS = [Fault("kill", "kill", "changing", 0), Fault("torn write", "torn", "changing", 0),
          Fault("short write", "short", "changing", 0)]
FAULTS += [Fault(f"{errno.errorcode[number]} {'for good' if mode.endswith('good') else 'once'}, {calls}",
                 mode, calls, number)
           for calls, mode, numbers in [
               ("changing", "errno", [errno.EIO, errno.ENOSPC, errno.EACCES, errno.EDQUOT, errno.EROFS, errno.EINTR]),
               ("changing", "errno-for-good", [errno.EIO, errno.ENOSPC]),
               ("reading", "errno", [errno.EIO, errno.EACCES, errno.ENOMEM, errno.EINTR, errno.EMFILE]),
               ("reading", "errno-for-good", [errno.EIO])]
           for number in numbers]

class Attack:
    def __init__(self, tools, work, interval, crashes, only):
        self.tools, self.work, self.interval, self.crashes = tools, work, interval, crashes
        self.faults = [fault for fault in FAULTS if only in fault.name]
        self.losses = [loss for loss in LOSSES if only in f"power loss, {loss}"]
        self.codes = collections.Counter()
        self.findings = []

    def run(self, scenario):
        template = Template(scenario, self.tools, self.work)
        counts = {}
        for calls in ["changing", "reading"]:
            folder = self.copy(template, f"count-{calls}")
            log = self.work / f"log-{scenario.name}-{calls}"
            template.run(folder, self.environment(Fault("count", "count", calls, 0), folder, log=log))
            counts[calls] = log.read_text().count("\n")
            shutil.rmtree(folder)
        jobs = []
        for place, fault in enumerate(self.faults):
            interval = self.interval * (3 if fault.mode not in ("kill", "torn") else 1)
            # Each fault begins at another call.
            jobs += [(fault, nth) for nth in range(1 + place % interval, counts[fault.calls] + 1, interval)]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for fault, code, problems, nth in pool.map(lambda job: self.attempt(template, *job), jobs):
                end = "migrated" if code == 0 else "killed" if code == -signal.SIGKILL else "failed"
                self.count(scenario, fault.name, end, problems, nth)
        losses = self.run_power_losses(scenario, template, counts["changing"])
        print(f"{scenario.name}: {counts['changing']} changing and {counts['reading']} reading calls, "
              f"{len(jobs)} faults, {losses} power losses, "
              f"{sum(1 for finding in self.findings if finding[0] == scenario.name)} findings",
              flush=True)

    def environment(self, fault, folder, nth=0, log=None):
        values = {"LD_PRELOAD": str(self.tools / "attack-faults.so"), "ATTACK_FOLDER": str(folder),
                  "ATTACK_MODE": fault.mode, "ATTACK_CALLS": fault.calls, "ATTACK_NTH": str(nth),
                  "ATTACK_ERRNO": str(fault.error)}
        return values | ({"ATTACK_LOG": str(log)} if log else {})

    def run_power_losses(self, scenario, template, count):
        jobs = [(loss, nth) for place, loss in enumerate(self.losses)
                for nth in range(1 + place % self.interval, count + 1, self.interval)]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for loss, problems, nth in pool.map(lambda job: self.lose_power(template, *job), jobs):
                self.count(scenario, f"power loss, {loss}", "killed", problems, nth)
        return len(jobs)

    def lose_power(self, template, loss, nth):
        """Kills a traced process, and takes from its folder what the disk need not have had yet."""
        folder = self.copy(template, f"{loss}-{nth}")
        log = folder.with_suffix(".trace")
        try:
            environment = self.environment(Fault(loss, "kill", "changing", 0), folder, nth)
            environment["LD_PRELOAD"] = f"{self.tools / 'attack-trace.so'}:{environment['LD_PRELOAD']}"
            template.run(folder, environment | {"ATTACK_TRACE": str(log)})
            lose(folder, template.start, log.read_bytes() if log.exists() else b"", loss)
            problems = template.judge(folder, KILLED)
            problems += template.judge_end(folder, template.run(folder))
        except Exception as error:
            problems = [f"it cannot be judged: {error!r}"]
        if not problems:
            shutil.rmtree(folder, ignore_errors=True)
            log.unlink(missing_ok=True)
        return loss, problems, nth

    def count(self, scenario, fault, end, problems, nth):
        self.codes[(fault, end)] += 1
        self.findings += [(scenario.name, fault, nth, problem) for problem in problems]

    def copy(self, template, name):
        folder = self.work / f"{template.scenario.name}-{name}".replace(" ", "-").replace(",", "")
        shutil.copytree(template.folder, folder)
        return folder

    def attempt(self, template, fault, nth):
        folder = self.copy(template, f"{fault.name}-{nth}")
        code = None
        try:
            result = template.run(folder, self.environment(fault, folder, nth))
            code = result.code
            problems = template.judge(folder, result)
            # A crash within the run that goes on from a crash.
            for step in range(self.crashes if fault.mode == "kill" else 0):
                result = template.run(folder, self.environment(fault, folder, 3 + (nth * 7 + step * 13) % 60))
                problems += template.judge(folder, result)
            problems += template.judge_end(folder, template.run(folder))
        except Exception as error:  # A judge that fails is a finding, too.
            problems = [f"it cannot be judged: {error!r}"]
        if not problems:
            shutil.rmtree(folder, ignore_errors=True)
        return fault, code, problems, nth


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=Path, required=True)
    parser.add_argument("--quick", action="store_true", help="a sample of all calls")
    parser.add_argument("--full", action="store_true", help="every call")
    parser.add_argument("--every", type=int, metavar="N", help="one call of so many; 61 with --quick, 1 with --full")
    parser.add_argument("--only", default="", metavar="TEXT", help="the faults whose name has this in it")
    parser.add_argument("scenario", nargs="*", choices=[[], *[scenario.name for scenario in SCENARIOS]])
    arguments = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="heavylift-attack-"))
    attack = Attack(arguments.tools.resolve(), work, interval=arguments.every or (1 if arguments.full else 61),
                    crashes=3 if arguments.full else 1, only=arguments.only)
    start = time.monotonic()
    for scenario in SCENARIOS:
        if not arguments.scenario or scenario.name in arguments.scenario:
            attack.run(scenario)
    print()
    names = [fault.name for fault in attack.faults] + [f"power loss, {loss}" for loss in attack.losses]
    for name in [*names, "all"]:
        ends = [sum(number for (fault, end), number in attack.codes.items() if name in (fault, "all") and end == wanted)
                for wanted in ("killed", "failed", "migrated")]
        found = sum(1 for finding in attack.findings if name in (finding[1], "all"))
        print(f"{name:28} {sum(ends):6} tried: {ends[0]:5} killed, {ends[1]:5} failed, {ends[2]:5} migrated, "
              f"{found:4} findings")
    print(f"took {time.monotonic() - start:.0f} s")
    for scenario, fault, nth, problem in attack.findings:
        print(f"FOUND {scenario}, {fault}, call {nth}: {problem}")
    if attack.findings:
        print(f"what is left lies in {work}")
        sys.exit(1)
    shutil.rmtree(work, ignore_errors=True)


main()
