"""Faults: at each call in turn, the process is killed, a write is torn, an error is returned, or the power fails."""

import collections
import errno
import functools
import itertools

from attempts import Attempt, count_calls, environment
from powerloss import LOSSES, lose
from scenarios import KILLED

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
               ("reading", "errno-for-good", [errno.EIO]),
               ("locking", "errno", [errno.ENOLCK, errno.EINTR, errno.EAGAIN]),
               ("locking", "errno-for-good", [errno.ENOLCK])]
           for number in numbers]
FAULTS += [Fault(f"power loss, {loss}", loss, "changing", 0) for loss in LOSSES]
# Without locks, a run waits for seconds and then gives up. Meanwhile, others use the cores.
RUNS_PER_CORE = 4


class Faults:
    def __init__(self, tools, interval, crashes, only):
        self.tools, self.interval, self.crashes = tools, interval, crashes
        self.faults = [fault for fault in FAULTS if only in fault.name]

    def run(self, templates, record):
        counts = [count_calls(self.tools, template) for template in templates]
        attempts = [list(self.attempts(*each)) for each in zip(templates, counts)]
        ended = record.running(itertools.chain(*attempts), RUNS_PER_CORE * record.jobs)
        for template, numbers, own in zip(templates, counts, attempts):
            for _ in own:
                next(ended)
            print(f"{template.scenario.name}: {', '.join(f'{number} {calls}' for calls, number in numbers.items())} "
                  f"calls, {len(own)} faults, {record.count(template.scenario)} findings", flush=True)

    def attempts(self, template, counts):
        for place, fault in enumerate(self.faults):
            interval = self.interval * (1 if fault.mode in ("kill", "torn", *LOSSES) else 3)
            action = self.lose_power if fault.mode in LOSSES else self.disturb
            # Each fault starts at a different call.
            for nth in range(1 + place % interval, counts[fault.calls] + 1, interval):
                yield Attempt(template, fault.name, f"call {nth}", functools.partial(action, template, fault, nth))

    def disturb(self, template, fault, nth, folder):
        result = template.run(folder, self.environment(template, folder, fault, nth))
        code = result.code
        problems = template.judge(folder, result)
        # A crash in the run that recovers from a crash.
        for step in range(self.crashes if fault.mode == "kill" else 0):
            result = template.run(folder, self.environment(template, folder, fault, 3 + (nth * 7 + step * 13) % 60))
            problems += template.judge(folder, result)
        return code, problems

    def lose_power(self, template, fault, nth, folder):
        """Kills a traced process, and removes what may not have reached the disk yet from its folder."""
        log = folder.with_suffix(".trace")
        variables = self.environment(template, folder, fault._replace(mode="kill"), nth)
        variables["LD_PRELOAD"] = f"{self.tools / 'attack-trace.so'}:{variables['LD_PRELOAD']}"
        template.run(folder, variables | {"ATTACK_TRACE": str(log)})
        lose(folder, template.start, log.read_bytes() if log.exists() else b"", fault.mode)
        problems = template.judge(folder, KILLED)
        if not problems:
            log.unlink(missing_ok=True)
        return KILLED.code, problems

    def environment(self, template, folder, fault, nth):
        return environment(self.tools, template, folder, fault.mode, fault.calls, nth, fault.error)
