"""Hostile folders: links, folders of other users, forged journals, files in the place of new ones, missing
permissions. No migration may change a file that is not its own."""

import collections
import functools
import json
import os
import shutil
import stat
from pathlib import Path

from attempts import Attempt, calls_of, environment
from scenarios import AS_NOBODY, Scenario, Template, can_run_as
from stores import NOBODY

SCENARIOS = {scenario.name: scenario for scenario in [
    Scenario("hostile", "gallery", "log", ["--backup", "Old.sqlite", "--provenance", "Origins.sqlite"]),
    Scenario("hostile-into", "gallery", "log", ["--to", "New.sqlite"]),
    Scenario("hostile-shared", "gallery", "shared", []),
]}
# A member of the group of the store in the state 'shared', but not its owner.
AS_MEMBER = {"user": 54322, "group": 54322, "extra_groups": [54323]}

# A case: the scenario, the result ('refused', 'migrated', or 'any' of them), and the function that plants something in
# the folder. With an identity, only root can try the case; the migration runs as that user.
Case = collections.namedtuple("Case", "name scenario end plant identity", defaults=[None])


def beside(name, act):
    """Plants one file or folder, and returns its path: a migration may change others at the same time."""
    def plant(place):
        act(place.folder / name, place.victim)
        return place.folder / name
    return plant


def link(name, target="thesis"):
    return beside(name, lambda path, victim: path.symlink_to(victim / target))


def file(name):
    return beside(name, lambda path, victim: path.touch(exist_ok=False))


def folder(name):
    return beside(name, lambda path, victim: (path.mkdir(), (path / "precious").write_text("another's"))[0])


def in_own_work_folder(act):
    """Plants a work folder of this user with something in it, as an archive may have it."""
    return beside(".Store.sqlite.heavylift", lambda path, victim: (path.mkdir(mode=0o700), act(path, victim)))


def journal(edit):
    """Edits the journal of a migration that was killed just before the swap."""
    def plant(place):
        place.kill_before_end()
        path = place.work / "journal.json"
        text = edit(json.loads(path.read_text()), place)
        path.write_text(text if isinstance(text, str) else json.dumps(text))
    return plant


def identity_of(path):
    status = path.stat()
    return {"device": status.st_dev, "inode": status.st_ino, "size": status.st_size,
            "modifiedSeconds": status.st_mtime_ns // 10**9, "modifiedNanoseconds": status.st_mtime_ns % 10**9}


def out_of(place, name):
    """A path out of the work folder, and one out of the folder for large values."""
    return [f"{'../' * depth}{place.victim.name}/{name}" for depth in (2, 3)]


BESIDE = [
    Case("a link at the backup's place", "hostile", "refused", link("Old.sqlite")),
    Case("a link to nothing at the backup's place", "hostile", "refused", link("Old.sqlite", "nothing")),
    Case("a file at the backup's place", "hostile", "refused", file("Old.sqlite")),
    Case("a folder at the backup's place", "hostile", "refused", folder("Old.sqlite")),
    Case("a folder for the backup's large values", "hostile", "refused", folder(".Old_SUPPORT")),
    Case("a link for the backup's large values", "hostile", "refused", link(".Old_SUPPORT", "photos")),
    Case("a link at the provenance's place", "hostile", "refused", link("Origins.sqlite")),
    Case("a file at the provenance's place", "hostile", "refused", file("Origins.sqlite")),
    Case("a link at the new store's place", "hostile-into", "refused", link("New.sqlite")),
    Case("a link to nothing at the new store's place", "hostile-into", "any", link("New.sqlite", "nothing")),
    Case("a file at the new store's place", "hostile-into", "refused", file("New.sqlite")),
    Case("a link for the new large values", "hostile-into", "refused", link(".New_SUPPORT", "photos")),
]
WORK_FOLDERS = [
    Case("a link for the work folder", "hostile", "refused", link(".Store.sqlite.heavylift", "photos")),
    Case("a link to nothing for the work folder", "hostile", "refused", link(".Store.sqlite.heavylift", "nothing")),
    Case("a file for the work folder", "hostile", "refused", file(".Store.sqlite.heavylift")),
    Case("a work folder that others may use", "hostile", "refused",
         beside(".Store.sqlite.heavylift", lambda path, victim: (
             path.mkdir(), path.chmod(0o777), (path / "lock").symlink_to(victim / "thesis")))),
    Case("a work folder of another user", "hostile", "refused",
         beside(".Store.sqlite.heavylift",
                lambda path, victim: (path.mkdir(mode=0o700), os.chown(path, 54321, 54321))), {}),
    Case("a lock that is a link", "hostile", "any", in_own_work_folder(
        lambda work, victim: (work / "lock").symlink_to(victim / "thesis"))),
    Case("a lock that is a folder", "hostile", "any", in_own_work_folder(lambda work, victim: (work / "lock").mkdir())),
    Case("a lock that is a pipe", "hostile", "any", in_own_work_folder(lambda work, victim: os.mkfifo(work / "lock"))),
    Case("a journal that is a link", "hostile", "any", in_own_work_folder(
        lambda work, victim: (work / "journal.json").symlink_to(victim / "thesis"))),
    Case("a journal that is a pipe", "hostile", "any", in_own_work_folder(
        lambda work, victim: os.mkfifo(work / "journal.json"))),
    Case("a hop that is a link", "hostile", "any", in_own_work_folder(
        lambda work, victim: (work / "hop-1.sqlite").symlink_to(victim / "thesis"))),
    Case("large values that are a link", "hostile", "any", in_own_work_folder(
        lambda work, victim: (work / ".hop-1_SUPPORT").symlink_to(victim / "photos"))),
]
JOURNALS = [
    Case("a journal with a backup elsewhere", "hostile", "any", journal(
        lambda state, place: state | {"backup": {"place": str(place.victim / "thesis")}})),
    Case("a journal with a backup of another identity", "hostile", "any", journal(
        lambda state, place: state | {"backup": {"place": str(place.victim / "thesis"),
                                                 "file": identity_of(place.victim / "thesis") | {"inode": 1}}})),
    Case("a journal with a folder of another identity", "hostile", "any", journal(
        lambda state, place: state | {"backup": {"place": str(place.victim / "thesis.sqlite"),
                                                 "support": identity_of(place.victim / "photos") | {"inode": 1}}})),
    Case("a journal with a provenance elsewhere", "hostile", "any", journal(
        lambda state, place: state | {"provenancePlace": str(place.victim / "thesis")})),
    Case("a journal with a backup at a free place elsewhere", "hostile", "any", journal(
        lambda state, place: state | {"backup": {"place": str(place.victim / "new.sqlite")}})),
    Case("a journal with a provenance at a free place elsewhere", "hostile", "any", journal(
        lambda state, place: state | {"provenancePlace": str(place.victim / "new.sqlite")})),
    Case("a journal with added files elsewhere", "hostile", "any", journal(
        lambda state, place: state | {"addedFiles": out_of(place, "thesis") + out_of(place, "photos")})),
    Case("a journal with removed files elsewhere", "hostile", "any", journal(
        lambda state, place: state | {"removedFiles": out_of(place, "thesis") + out_of(place, "photos")})),
    Case("a journal with a store elsewhere", "hostile", "any", journal(
        lambda state, place: state | {"last": state["last"] | {"file": out_of(place, "thesis")[0]}})),
    Case("a journal with a path for its mark", "hostile", "any", journal(
        lambda state, place: state | {"mark": out_of(place, "photos")[0]})),
    Case("a journal of another format", "hostile", "any", journal(lambda state, place: state | {"format": 99})),
    Case("a journal that is cut off", "hostile", "any", journal(lambda state, place: json.dumps(state)[:200])),
    Case("a journal that is nested deeply", "hostile", "any", journal(lambda state, place: "[" * 100_000)),
]
RIGHTS = [
    Case("a folder that cannot be changed", "hostile", "refused",
         lambda place: (place.give_to(NOBODY), place.folder.chmod(0o555)), AS_NOBODY),
    Case("a store of another owner", "hostile", "migrated", lambda place: place.give_to(NOBODY), {}),
    Case("a store of another member of a group", "hostile-shared", "migrated",
         # Only root can give the new store to the old one's owner, who can use it as a member of the group.
         lambda place: place.expect_owner(AS_MEMBER["user"], AS_MEMBER["extra_groups"][0]), AS_MEMBER),
]
HOSTILE = BESIDE + WORK_FOLDERS + JOURNALS + RIGHTS


class Planted:
    """Files that others put into a store's folder, and the victim's files that they lead to."""

    def __init__(self, case, template, folder, tools):
        self.template, self.folder, self.tools = template, folder, tools
        self.work = folder / f".{template.target}.heavylift"
        self.victim = folder.with_name(f"{folder.name}-victim")
        (self.victim / "photos").mkdir(parents=True)
        (self.victim / "photos/first").write_text("precious")
        (self.victim / "thesis").write_text("precious")
        self.before = self.states()
        try:
            top = case.plant(self)
            self.planted = {path: state_of(path) for path, state in self.states().items()
                            if self.before.get(path) != state and (not top or path == top or top in path.parents)}
        except FileExistsError:
            self.planted = {}  # The migration was first.
        self.others = {path: state for path, state in self.planted.items() if not self.is_own(path)}
        self.victims = {path: state_of(path) for path in [self.victim, *self.victim.rglob("*")]}

    def states(self):
        """The files of the folder, unopened: opening a store during its swap would wait for the migration."""
        # Skips a folder that the migration removes meanwhile.
        paths = [self.folder, *(Path(folder) / name for folder, folders, files in os.walk(self.folder)
                                for name in folders + files)]
        return {path: state for path, state in ((path, state_of(path, reads=False)) for path in paths) if state}

    def is_own(self, path):
        """Returns true for the user's own work folder, all of which may be removed."""
        status = state_of(self.work)
        is_private = status and stat.S_ISDIR(status[0]) and not status[0] & 0o077 and status[1] == os.geteuid()
        return is_private and (path == self.work or self.work in path.parents)

    def give_to(self, user):
        for path in [self.folder, *self.folder.rglob("*")]:
            os.chown(path, user, user, follow_symlinks=False)
        self.expect_owner(user, user)
        self.before = self.states()

    def expect_owner(self, user, group):
        self.template.owners[self.folder.name] = user, group

    def kill_before_end(self):
        """Kills a migration after it has written its journal for the last time."""
        calls = calls_of(self.tools, self.template, "changing", f"{self.folder.name}-calls")
        last = max(number for number, call in enumerate(calls, 1) if "journal" in call and "rename" in call)
        variables = environment(self.tools, self.template, self.folder, "kill", "changing", last + 2)
        self.template.run(self.folder, variables)
        self.before = self.states()

    def judge(self):
        changed = [path for path, state in (self.others | self.victims).items() if state_of(path) != state]
        return [f"{path.relative_to(self.folder.parent)}, which is another's, has changed" for path in changed] + [
            f"{path} was made" for path in self.victim.rglob("*") if path not in self.victims]

    def remove(self):
        shutil.rmtree(self.victim)
        for path in sorted(self.planted, reverse=True):
            now, before = state_of(path, reads=False), self.before.get(path)
            if not now:
                continue
            # A migration may have removed its own folder of that name before something was planted.
            if before and before[3][0] == now[3][0]:
                path.chmod(stat.S_IMODE(before[0]))
            elif path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()


def state_of(path, reads=True):
    """Mode, owner, and contents of a file, or its number and time; None if there is none."""
    try:
        status = path.lstat()
        contents = (status.st_ino, 0 if path.is_dir() else status.st_mtime_ns) if not reads else (
            os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None)
    except FileNotFoundError:
        return None
    return status.st_mode, status.st_uid, status.st_gid, contents


def run_hostile(tools, roots, record, only):
    cases = [case for case in HOSTILE
             if only in case.name and (case.identity is None or can_run_as(case.identity, tools))]
    templates = {name: Template(scenario, tools, *roots) for name, scenario in SCENARIOS.items() if cases}
    record.run([Attempt(templates[case.scenario], "hostile folder", case.name,
                        functools.partial(meet, tools, templates[case.scenario], case)) for case in cases])
    for name, template in templates.items():
        count = sum(case.scenario == name for case in cases)
        print(f"{name}: {count} cases, {record.count(template.scenario)} findings", flush=True)


def meet(tools, template, case, folder):
    planted = Planted(case, template, folder, tools)
    result = template.run(folder, identity=case.identity)
    problems = planted.judge()
    planted.remove()
    problems += template.judge(folder, result)
    if case.end != "any" and (result.code == 0) != (case.end == "migrated"):
        problems.append(f"it should have been {case.end}, and ended with {result.code}: {result.errors.strip()[:200]}")
    return result.code, problems
