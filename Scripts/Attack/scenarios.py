"""The migrations that are attacked, and the judge of their results."""

import collections
import os
import shutil
import signal
import stat
import subprocess
import sys

from stores import KINDS, NOBODY, STATES, STORE, SUFFIXES, build, digest

# A scenario: a kind of store, its state, and the arguments of its migration. Paths are relative to the store's folder;
# {elsewhere} is a folder on another disk.
Scenario = collections.namedtuple("Scenario", "name store state arguments")
SCENARIOS = [
    Scenario("declared", "gallery", "closed", ["--version", "Gallery 2"]),
    Scenario("chain", "gallery", "closed", []),
    Scenario("chain-wal", "gallery", "log", []),
    Scenario("journal", "gallery", "journal", ["--version", "Gallery 2"]),
    Scenario("backup", "gallery", "log", ["--backup", "Old.sqlite"]),
    Scenario("backup-elsewhere", "gallery", "rollback", ["--backup", "{elsewhere}/Old.sqlite"]),
    Scenario("provenance", "gallery", "closed", ["--provenance", "Origins.sqlite"]),
    Scenario("into", "gallery", "log", ["--to", "New.sqlite"]),
    Scenario("copied", "albums", "closed", ["--version", "Gallery 2"]),
    Scenario("continued", "continued", "closed", []),
    Scenario("continued-wal", "continued", "log", ["--backup", "Old.sqlite"]),
    Scenario("policy", "music", "closed", []),
    Scenario("policy-wal", "music", "log", ["--backup", "Old.sqlite"]),
    Scenario("stages", "staged", "closed", []),
    Scenario("stages-wal", "staged", "log", ["--backup", "Old.sqlite"]),
    Scenario("in-place", "newer", "rollback", ["--in-place"]),
    Scenario("in-place-wal", "newer", "log", ["--in-place"]),
    Scenario("salvage", "gallery", "damaged", ["--accept-damage", "--backup", "Old.sqlite"]),
    Scenario("family", "smaller", "family", ["--version", "Gallery 2"]),
    Scenario("shared", "smaller", "shared", ["--backup", "Old.sqlite"]),
]

# The end of a run: its code, and what it wrote to standard error.
Result = collections.namedtuple("Result", "code errors")
KILLED = Result(-signal.SIGKILL, "")
HANGS = Result("timeout", "it did not end within a minute")

# Another user, as arguments of Popen.
AS_NOBODY = {"user": NOBODY, "group": NOBODY, "extra_groups": []}


def can_run_as(identity, tools):
    """Returns true if another user can be used to run the tool here."""
    if os.geteuid() != 0:
        return False
    try:
        with open(os.devnull, "wb") as nowhere:
            files = [tools / "attack-faults.so", KINDS["gallery"].mappings / "1-2.xml"]
            return all(subprocess.run(command, **identity, stdout=nowhere, stderr=nowhere).returncode == 0
                       for command in [[tools / "heavylift", "--version"], ["cat", *files]])
    except PermissionError:
        return False


class Template:
    """A scenario's folder before a run, and what the stores must hold before and after."""

    def __init__(self, scenario, tools, work, elsewhere, is_edited=False):
        """is_edited: a program writes to the store, so the column that it writes to is judged elsewhere."""
        self.scenario, self.tools, self.kind = scenario, tools, KINDS[scenario.store]
        self.roots = work, elsewhere
        self.without = (self.kind.table, self.kind.column) if is_edited else None
        self.folder = work / f"template-{scenario.name}"
        self.folder.mkdir()
        store = self.folder / STORE
        build(self.kind, tools, store)
        for path in self.folder.rglob("*"):
            path.chmod(0o700 if path.is_dir() else 0o600)
        STATES[scenario.state](store, self.kind)
        self.mode = stat.S_IMODE(store.stat().st_mode)
        self.identity = AS_NOBODY if scenario.state == "given away" else {}
        # The owners and groups of the stores in copies, by the name of the folder.
        self.owners = {}
        self.old = self.digest(store) if scenario.state != "damaged" else None
        self.files = files_below(self.folder)
        self.start = {str(path.relative_to(self.folder)): path.read_bytes() if path.is_file() else None
                      for path in sorted(self.folder.rglob("*"))}
        self.relatives = {path: digest(path) for path in self.other_stores()}
        folder = self.copy("reference")
        result = self.run(folder)
        if result.code != 0:
            sys.exit(f"attack: {scenario.name} fails without a fault:\n{result.errors}")
        self.new = self.digest(folder / self.target)
        self.names = set(files_below(folder))
        assert self.new and self.new != self.old

    @property
    def target(self):
        return "New.sqlite" if "--to" in self.scenario.arguments else STORE

    def other_stores(self):
        own = {STORE + suffix for suffix in SUFFIXES}
        return [path for path in self.folder.iterdir() if path.is_file() and path.name not in own]

    def digest(self, store):
        return digest(store, self.without)

    def copy(self, name):
        folder = self.roots[0] / f"{self.scenario.name}-{name}".replace(" ", "-").replace(",", "")
        shutil.copytree(self.folder, folder)
        self.elsewhere(folder).mkdir(mode=0o700)
        self.owners[folder.name] = owner_of(self.folder / STORE)
        if self.owners[folder.name] != owner_of(folder / STORE):
            for path in [folder, *folder.rglob("*"), self.elsewhere(folder)]:
                os.chown(path, *self.owners[folder.name])
        return folder

    def remove(self, folder):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(self.elsewhere(folder), ignore_errors=True)

    def elsewhere(self, folder):
        return self.roots[1] / folder.name

    def backup(self, folder):
        """The path of the backup; None if no backup is wanted."""
        if "--backup" not in self.scenario.arguments:
            return None
        place = self.scenario.arguments[self.scenario.arguments.index("--backup") + 1]
        return folder / place.format(elsewhere=self.elsewhere(folder))

    def begin(self, folder, environment=None, identity=None):
        """Starts a migration, as this user or another."""
        models = ["--model", self.kind.model, "--mappings", self.kind.mappings] + ["--infer"] * self.kind.infers
        arguments = [argument.format(elsewhere=self.elsewhere(folder)) for argument in self.scenario.arguments]
        return subprocess.Popen(
            [self.tools / self.kind.tool, "migrate", STORE, *models, *arguments, "--quiet"], cwd=folder,
            env=os.environ | (environment or {}), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, umask=0o022,
            **identity or self.identity)

    @staticmethod
    def end(process):
        """Waits for a migration."""
        try:
            errors = process.communicate(timeout=60)[1]
            return Result(process.returncode, errors.decode(errors="replace"))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return HANGS

    def run(self, folder, environment=None, identity=None):
        return self.end(self.begin(folder, environment, identity))

    def is_old(self, folder):
        store = folder / STORE
        if self.scenario.state == "damaged":
            return store.exists() and store.read_bytes() == self.files[STORE]
        return self.digest(store) == self.old

    def is_new(self, folder):
        return (folder / self.target).exists() and self.digest(folder / self.target) == self.new

    def judge(self, folder, result):
        """The problems after a disturbed run."""
        is_new = self.is_new(folder)
        problems = judge_code(result)
        if self.target != STORE:
            if not self.is_old(folder):
                problems.append("the source has changed")
            if (folder / self.target).exists() and not is_new:
                problems.append("the new store is not whole")
        elif not is_new and not self.is_old(folder):
            problems.append(f"the store is neither the old one nor the new one: {self.digest(folder / STORE)}")
        if result.code == 0 and not is_new:
            problems.append("it says that it is done, and it is not")
        backup = self.backup(folder)
        if backup and is_new and not backup.exists():
            problems.append("the backup is missing")
        elif backup and is_new and self.old and self.digest(backup) != self.old:
            problems.append("the backup is not the old store")
        return problems + self.judge_surroundings(folder)

    def judge_surroundings(self, folder):
        """Problems with other stores of the folder, and with the permissions of any file."""
        problems = [f"{path.name} has changed" for path, before in self.relatives.items()
                    if digest(folder / path.name) != before]
        owner = self.owners[folder.name]
        if (folder / STORE).exists() and owner_of(folder / STORE) != owner:
            problems.append(f"the store has another owner or group: {owner_of(folder / STORE)}")
        for top in [folder, self.elsewhere(folder)]:
            problems += [f"{path.name} can be used by more than the store: {stat.filemode(path.stat().st_mode)}"
                         for path in top.rglob("*") if not path.is_symlink() and self.is_open(path, top, owner)]
        return problems

    def is_open(self, path, top, owner):
        """Returns true if a user who cannot use the store can use a file below a folder."""
        allowed = self.mode | (0o111 if path.is_dir() else 0)
        mode = stat.S_IMODE(path.stat().st_mode)
        # A user who cannot enter a folder cannot use its files.
        for parent in list(path.relative_to(top).parents)[:-1]:
            entering = (top / parent).stat().st_mode
            mode &= ~(0o070 * (not entering & 0o010) | 0o007 * (not entering & 0o001))
        # SQLite itself creates its files next to a store, and then gives them to the store's owner and group.
        if path.name in {STORE + suffix for suffix in SUFFIXES[1:]} and path.stat().st_size == 0:
            return bool(mode & ~allowed)
        return bool(mode & 0o077 & ~allowed or mode & 0o070 and owner_of(path)[1] != owner[1])

    def judge_end(self, folder, result):
        """The problems after the next run, which is undisturbed."""
        is_there = "already exists" in result.errors and self.target != STORE
        problems = [] if result.code == 0 or is_there else [f"the next run fails: {result.errors.strip()}"]
        if self.digest(folder / self.target) != self.new:
            problems.append("after the next run, the store is not the new one")
        left = files_below(folder)
        found = {name for name in left if is_counted(name) and not is_spent_journal(name, left[name])}
        wanted = {name for name in self.names if is_counted(name)}
        if found != wanted:
            problems.append(f"after the next run, there are {sorted(found ^ wanted)}")
        counts = [sum("_EXTERNAL_DATA" in name for name in names) for names in (left, self.names)]
        if counts[0] != counts[1]:
            problems.append(f"after the next run, there are {counts[0]} large values instead of {counts[1]}")
        return problems + self.judge_surroundings(folder)


def judge_code(result):
    if result.code == "timeout":
        return ["it hangs"]
    if result.code != -signal.SIGKILL and result.code not in (0, 1, 2):
        return [f"it ended with {result.code}"]
    return ["it fails without a message"] if result.code in (1, 2) and not result.errors else []


def is_counted(name):
    return not name.endswith(("-shm", "-wal")) and "_EXTERNAL_DATA" not in name


def is_spent_journal(name, data):
    """True for a rollback journal that starts with a zero: SQLite ignores it, and overwrites it in the next transaction."""
    return name.endswith("-journal") and not any(data[:1])


def owner_of(path):
    status = path.stat()
    return status.st_uid, status.st_gid


def files_below(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
