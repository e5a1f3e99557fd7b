"""Races: other programs open, write and migrate a store while it is migrated.

A round starts the other program at a random time, or while the migration is stopped before one of its calls.
"""

import functools
import os
import random
import signal
import sqlite3
import subprocess
import time

from attempts import Attempt, calls_of, environment
from hostile import BESIDE, WORK_FOLDERS, Planted
from scenarios import AS_NOBODY, Scenario, Template, can_run_as, judge_code
from stores import STORE, texts

RACED = [
    Scenario("race-log", "gallery", "log", []),
    Scenario("race-rollback", "gallery", "rollback", []),
    Scenario("race-backup", "gallery", "log", ["--backup", "Old.sqlite"]),
    Scenario("race-backup-elsewhere", "gallery", "log", ["--backup", "{elsewhere}/Old.sqlite"]),
    Scenario("race-rollback-backup-elsewhere", "gallery", "rollback", ["--backup", "{elsewhere}/Old.sqlite"]),
    Scenario("race-provenance", "gallery", "log", ["--backup", "Old.sqlite", "--provenance", "Origins.sqlite"]),
    Scenario("race-policy", "music", "log", []),
    Scenario("race-stages", "staged", "log", []),
    Scenario("race-in-place", "newer", "log", ["--in-place"]),
    Scenario("race-into", "gallery", "log", ["--to", "New.sqlite"]),
]
# A migration by a user who cannot see which files other users' programs have open: only root can try it.
RACED_BY_NOBODY = [
    Scenario("race-nobody", "gallery", "given away", []),
    Scenario("race-nobody-backup", "gallery", "given away", ["--backup", "Old.sqlite"]),
]

CORRUPT = 11  # SQLITE_CORRUPT


class Program:
    """Another program that uses the store: see program.c."""

    def __init__(self, action, template, folder, random):
        pause = int(10 ** random.uniform(2.5, 5))
        self.template = template
        self.rows = len(template.texts)
        kind = template.kind
        self.process = subprocess.Popen(
            [template.tools / "attack-program", action, folder / STORE, kind.table, kind.column, str(self.rows),
             str(pause)], stdout=subprocess.PIPE)

    def end(self):
        self.process.terminate()
        try:
            output = self.process.communicate(timeout=60)[0].decode()
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
            return ["the other program hangs"]
        lines = [line.split() for line in output.splitlines()]
        self.written = max([int(line[1]) for line in lines if line[0] == "wrote"], default=0)
        self.tried = max([int(line[2]) for line in lines if line[0] == "error"], default=0)
        damage = {" ".join(line) for line in lines if line[0] == "error" and int(line[1]) % 256 == CORRUPT}
        torn = ["one transaction of the other program saw two states"] if ["torn"] in lines else []
        return torn + [f"the other program found damage: {line}" for line in damage]

    def judge(self, folder):
        """The store must have every commit that succeeded, and a copy must be a state between two of them."""
        # A commit that failed may still have reached the disk.
        most = max(self.written, self.tried)
        problems = self.judge_texts(folder / STORE, self.written, most)
        copies = [self.template.backup(folder)] + [folder / self.template.target] * (self.template.target != STORE)
        for copy in copies:
            if copy and copy.exists():
                problems += self.judge_texts(copy, 0, most)
        return problems

    def judge_texts(self, store, least, most):
        try:
            found = texts(store, self.template.kind)
        except sqlite3.DatabaseError as error:
            return [f"{store.name} cannot be read: {error}"]
        last = max([int(text.split()[1]) for text in found.values() if text and text.startswith("written ")], default=0)
        if not least <= last <= most:
            return [f"{store.name} has {last} of the program's commits, and {least} succeeded"]
        wanted = texts_after(last, self.template.texts)
        wrong = {key: (wanted.get(key), found.get(key)) for key in wanted | found if wanted.get(key) != found.get(key)}
        return [f"{store.name} is not a state between two commits: {str(wrong)[:300]}"] if wrong else []


def texts_after(count, start):
    """The texts after the given number of the program's transactions: see set_row in program.c."""
    found, rows = dict(start), len(start)
    for number in range(1, count + 1):
        text = f"written {number} " + "." * (number * 37 % 400)
        found[number % rows + 1] = found[(number + rows // 2) % rows + 1] = text
    return found


class AnotherMigration:
    def __init__(self, template, folder, random):
        self.template = template
        self.process = template.begin(folder)

    def end(self):
        return judge_code(self.template.end(self.process))

    def judge(self, folder):
        return []


class Planting:
    """Another user plants something in the folder during the migration."""

    def __init__(self, template, folder, random):
        self.planted = Planted(random.choice(BESIDE + WORK_FOLDERS[:3]), template, folder, template.tools)

    def end(self):
        problems = self.planted.judge()
        self.planted.remove()
        return problems

    def judge(self, folder):
        return []


RIVALS = {
    "a program writes and closes": functools.partial(Program, "write"),
    "a program keeps the store open and writes": functools.partial(Program, "keep"),
    "a program reads and closes": functools.partial(Program, "read"),
    "a program keeps the store open and reads": functools.partial(Program, "watch"),
    "another migration": AnotherMigration,
    "another user plants a file": Planting,
}
MOMENTS = ["at any time", "at a call"]


def run_races(tools, roots, record, seed, rounds, only):
    kinds = [(rival, moment) for moment in MOMENTS for rival in RIVALS if only in f"{rival}, {moment}"]
    if not kinds or not rounds:
        return
    print(f"races: seed {seed}", flush=True)
    scenarios = RACED + (RACED_BY_NOBODY if can_run_as(AS_NOBODY, tools) else [])
    races = [Race(Template(scenario, tools, *roots, is_edited=True), tools) for scenario in scenarios]
    attempts = []
    for number in rounds:
        # Each kind is combined with each scenario in turn.
        rival, moment = kinds[number % len(kinds)]
        race = races[(number // len(kinds) + number % len(kinds)) % len(races)]
        action = functools.partial(race.run, RIVALS[rival], moment, random.Random(f"{seed}-{number}"))
        attempts.append(Attempt(race.template, f"{rival}, {moment}", f"round {number} of seed {seed}", action))
    record.run(attempts)
    for race in races:
        names = [attempt for attempt in attempts if attempt.template is race.template]
        print(f"{race.template.scenario.name}: {len(names)} rounds, {record.count(race.template.scenario)} findings",
              flush=True)


class Race:
    def __init__(self, template, tools):
        self.template, self.tools = template, tools
        template.texts = texts(template.folder / STORE, template.kind)
        calls = calls_of(tools, template, "all", "count-all")
        self.count = len(calls)
        self.swap = max(number for number, call in enumerate(calls, 1) if self.is_swap(call))

    def is_swap(self, call):
        name = call.split()[1]
        if "--in-place" in self.template.scenario.arguments:
            return name.endswith("sync")
        return name.startswith(("rename", "link")) and call.endswith("/" + self.template.target)

    def run(self, rival, moment, random, folder):
        template = self.template
        if moment == "at a call":
            # Half of the rounds hit the calls around the swap.
            nth = random.choice([random.randint(1, self.count), self.swap + random.randint(-40, 15)])
            migration = template.begin(folder, environment(self.tools, template, folder, "stop", "all", nth))
            wait_until_stopped(migration)
            other = rival(template, folder, random)
        elif random.random() < 0.5:
            other = rival(template, folder, random)
            time.sleep(random.uniform(0, 0.05))
            migration = template.begin(folder)
        else:
            migration = template.begin(folder)
            time.sleep(random.uniform(0, 0.12))
            other = rival(template, folder, random)
        time.sleep(random.uniform(0, 0.03))
        if migration.poll() is None:
            os.kill(migration.pid, signal.SIGCONT)
        result = template.end(migration)
        time.sleep(random.uniform(0, 0.02))
        problems = other.end()
        problems += template.judge(folder, result)
        problems += other.judge(folder)
        # The next run, too, must keep what was written.
        next_result = template.run(folder)
        problems += template.judge(folder, next_result) + other.judge(folder)
        return result.code, problems


def wait_until_stopped(process):
    """Waits until a process stops or ends, without reaping it."""
    os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
