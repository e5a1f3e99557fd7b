"""Attacks migrations of the built tool. At one call to the file system after another, the process is killed, a write
is torn, an error is returned, or the power fails. Other programs use the store while it is migrated. The folder
contains links and other users' files. Afterwards, the store must be the complete old or new one, with every commit
that succeeded, and the next run must succeed.

attack.py --tools FOLDER [--quick | --full] [SCENARIO...]
"""

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from attempts import Record
from faults import Faults
from hostile import run_hostile
from locks import run_locks
from races import run_races
from scenarios import SCENARIOS, Template

QUICK_ROUNDS, FULL_ROUNDS = 48, 10_000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=Path, required=True)
    parser.add_argument("--quick", action="store_true", help="a sample of all calls")
    parser.add_argument("--full", action="store_true", help="every call")
    parser.add_argument("--every", type=int, metavar="N", help="one call of so many; 449 with --quick, 1 with --full")
    parser.add_argument("--rounds", type=int, metavar="N",
                        help=f"rounds of races; {QUICK_ROUNDS} with --quick, {FULL_ROUNDS} with --full")
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000), help="of the races")
    parser.add_argument("--round", type=int, metavar="N", help="this round of the races alone")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="attempts at a time")
    parser.add_argument("--only", default="", metavar="TEXT", help="the attempts whose kind has this in its name")
    parser.add_argument("scenario", nargs="*",
                        choices=[[], *[scenario.name for scenario in SCENARIOS], "races", "hostile"])
    arguments = parser.parse_args()
    tools = arguments.tools.resolve()
    work = Path(tempfile.mkdtemp(prefix="heavylift-attack-"))
    # Another user's migration must be able to reach its folder.
    work.chmod(0o711)
    elsewhere = folder_on_another_disk(work)
    record = Record(arguments.jobs)
    start = time.monotonic()
    faults = Faults(tools, arguments.every or (1 if arguments.full else 449), 3 if arguments.full else 1, arguments.only)

    def is_wanted(name):
        return not arguments.scenario or name in arguments.scenario

    templates = [Template(scenario, tools, work, elsewhere) for scenario in SCENARIOS if is_wanted(scenario.name)]
    if arguments.only in "locks released":
        run_locks(tools, templates, record)
    if faults.faults:
        faults.run(templates, record)
    if is_wanted("hostile"):
        run_hostile(tools, (work, elsewhere), record, arguments.only)
    if is_wanted("races"):
        count = FULL_ROUNDS if arguments.full else QUICK_ROUNDS
        rounds = [arguments.round] if arguments.round is not None else range(
            count if arguments.rounds is None else arguments.rounds)
        run_races(tools, (work, elsewhere), record, arguments.seed, rounds, arguments.only)
    print()
    record.print_table()
    print(f"took {time.monotonic() - start:.0f} s")
    record.print_findings()
    if record.findings:
        print(f"the folders of the findings are in {work} and {elsewhere}")
        sys.exit(1)
    shutil.rmtree(work, ignore_errors=True)
    shutil.rmtree(elsewhere, ignore_errors=True)


def folder_on_another_disk(work):
    """A folder in memory if there is one, so that names cannot be moved or linked to it."""
    memory = Path("/dev/shm")
    if memory.is_dir() and os.access(memory, os.W_OK) and memory.stat().st_dev != work.stat().st_dev:
        folder = Path(tempfile.mkdtemp(prefix="heavylift-attack-", dir=memory))
    else:
        folder = work / "elsewhere"
        folder.mkdir()
    folder.chmod(0o711)
    return folder


main()
