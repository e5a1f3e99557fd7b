"""Attempts and their results: the framework that faults, races and hostile folders share."""

import collections
import os
import signal
from concurrent.futures import ThreadPoolExecutor

# An attempt: its kind and its place, for messages, and an action in a copy of a template's folder, which returns the
# exit code of the run that it disturbed, and the problems.
Attempt = collections.namedtuple("Attempt", "template kind place action")
Finding = collections.namedtuple("Finding", "scenario kind place problem")


class Record:
    """The outcomes and the findings of all attempts."""

    def __init__(self, jobs):
        self.jobs = jobs
        self.ends = collections.Counter()
        self.findings = []
        self.kinds = []

    def run(self, attempts):
        """Makes attempts, several at a time."""
        for _ in self.running(attempts, self.jobs):
            pass

    def running(self, attempts, jobs):
        """Makes attempts, several at a time, and yields after each of them, in their order."""
        with ThreadPoolExecutor(jobs) as pool:
            for attempt, code, problems in pool.map(make, attempts):
                if attempt.kind not in self.kinds:
                    self.kinds.append(attempt.kind)
                end = "migrated" if code == 0 else "killed" if code == -signal.SIGKILL else "failed"
                self.ends[(attempt.kind, end)] += 1
                self.findings += [Finding(attempt.template.scenario.name, attempt.kind, attempt.place, problem)
                                  for problem in problems]
                yield

    def count(self, scenario):
        return sum(1 for finding in self.findings if finding.scenario == scenario.name)

    def print_table(self):
        for wanted in [*self.kinds, "all"]:
            ends = [sum(number for (kind, end), number in self.ends.items()
                        if wanted in (kind, "all") and end == column)
                    for column in ("killed", "failed", "migrated")]
            found = sum(1 for finding in self.findings if wanted in (finding.kind, "all"))
            print(f"{wanted:54} {sum(ends):6} tried: {ends[0]:5} killed, {ends[1]:5} failed, {ends[2]:5} migrated, "
                  f"{found:4} findings")

    def print_findings(self):
        for finding in self.findings:
            problem = "; ".join(finding.problem.splitlines())
            print(f"FOUND {finding.scenario}, {finding.kind}, {finding.place}: {problem}")


def make(attempt):
    """Makes an attempt, and then an undisturbed run. Keeps the folder if there are problems."""
    template = attempt.template
    folder = template.copy(f"{attempt.kind}-{attempt.place}")
    code = None
    try:
        code, problems = attempt.action(folder)
        problems += template.judge_end(folder, template.run(folder))
    except Exception as error:  # A judge that fails is a finding, too.
        problems = [f"it cannot be judged: {error!r}"]
    if not problems:
        template.remove(folder)
    # A problem that remains is reported by each judge.
    return attempt, code, list(dict.fromkeys(problems))


def environment(tools, template, folder, mode, calls, nth=0, error=0, log=None):
    """The variables that make the preloaded library do something at a call."""
    values = {"LD_PRELOAD": str(tools / "attack-faults.so"), "ATTACK_FOLDERS": f"{folder}:{template.elsewhere(folder)}",
              "ATTACK_MODE": mode, "ATTACK_CALLS": calls, "ATTACK_NTH": str(nth), "ATTACK_ERRNO": str(error)}
    return values | ({"ATTACK_LOG": str(log)} if log else {})


def calls_of(tools, template, calls, name):
    """The calls of a kind that an undisturbed run makes."""
    folder = template.copy(name)
    log = folder.with_suffix(".calls")
    log.touch()
    # The migration may run as another user.
    log.chmod(0o666)
    template.run(folder, environment(tools, template, folder, "count", calls, log=log))
    lines = log.read_text().splitlines()
    template.remove(folder)
    os.unlink(log)
    return lines


def count_calls(tools, template):
    return {calls: len(calls_of(tools, template, calls, f"count-{calls}"))
            for calls in ["changing", "reading", "locking"]}
