"""Turns real models into git repositories, changes them, and compares what the check says with what is expected."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

TOOL = sys.argv[1]
SEED = int(os.environ.get("SEED", "1"))


class Repository:
    """A project whose model is committed one version after the other."""

    def __init__(self, bundle, folder):
        self.folder = Path(folder)
        self.bundle = self.folder / "App" / bundle.name
        self.random = random.Random(f"{SEED} {bundle.name}")
        self.git("init", "-q", "-b", "main")
        versions = sorted((path for path in bundle.glob("*.xcdatamodel")), key=numbered)
        # A version with another name that would follow the current one is older.
        named = bundle / ".xccurrentversion"
        current = re.search(r"<string>(.+)\.xcdatamodel</string>", named.read_text()) if named.exists() else None
        stem = current and re.sub(r"[ _.-]*v?[0-9.]+$", "", current[1])
        if stem:
            versions.sort(key=lambda path: path.stem.startswith(stem))
        self.names = [path.stem for path in versions]
        self.options = []
        self.last = versions[-1]
        for path in versions[:-1] if len(versions) > 1 else versions:
            shutil.copytree(path, self.bundle / path.name)
            self.name_current(path.stem)
            self.commit(path.stem)
        self.released = self.names[:-1] if len(versions) > 1 else self.names

    def git(self, *arguments):
        identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *identity, *arguments], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def name_current(self, name):
        text = (
            '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0">\n<dict>\n'
            f"\t<key>_XCCurrentVersionName</key>\n\t<string>{name}.xcdatamodel</string>\n</dict>\n</plist>\n"
        )
        (self.bundle / ".xccurrentversion").write_text(text)

    def contents(self, name):
        return self.bundle / f"{name}.xcdatamodel" / "contents"

    def release(self):
        """Tags a commit of its own for each version, as teams with release branches do."""
        log = subprocess.run(
            ["git", "rev-list", "--reverse", "main"], cwd=self.folder, check=True, capture_output=True, text=True)
        for number, commit in enumerate(log.stdout.split()[: len(self.released)]):
            self.git("checkout", "-q", "--detach", commit)
            self.commit("release")
            self.git("tag", "-f", f"v{number + 1}")
        self.git("checkout", "-q", "main")
        self.options = ["--released", "v*"]

    def restore(self):
        self.options = []
        self.git("reset", "-q", "--hard")
        self.git("clean", "-qfd")

    def check(self):
        """Returns the codes of errors and warnings, the exit code and the time."""
        start = time.monotonic()
        run = subprocess.run(
            [TOOL, "check", ".", "--since", "main", *self.options, "--json"], cwd=self.folder, capture_output=True, text=True)
        seconds = time.monotonic() - start
        try:
            findings = json.loads(run.stdout)["diagnostics"]
        except (ValueError, KeyError):
            return {"failed: " + run.stderr.strip()[:200]}, seconds
        return {f["code"] for f in findings if f["severity"] != "note"}, seconds


def numbered(path):
    """A key that sorts names as people count."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", path.stem)]


def element(text, place):
    """The tag at a place, or around it."""
    return text[text.rindex("<", 0, place + 1) : text.index(">", place)]


def edited(repository, name, pattern, replacement):
    """Replaces the first match in a version's file; false if there is none."""
    path = repository.contents(name)
    text = path.read_text()
    # No hash covers a transient property.
    matches = [m for m in re.finditer(pattern, text) if "transient" not in element(text, m.start())]
    if not matches:
        return False
    match = repository.random.choice(matches)
    changed = match.expand(replacement) if isinstance(replacement, str) else replacement(match)
    path.write_text(text[: match.start()] + changed + text[match.end() :])
    return True


def any_version(repository):
    return repository.random.choice(repository.released)


# Changes that break a rule, with the codes of which at least one must be reported.

CHANGED = {"history.changed-version", "history.no-new-version"}


def change_type(repository):
    return edited(repository, any_version(repository), r'attributeType="(?:String|Binary|Date)"', 'attributeType="Double"')


def rename_attribute(repository):
    return edited(repository, any_version(repository), r'<attribute name="(\w+)"', r'<attribute name="\1Renamed"')


def add_attribute(repository):
    return edited(
        repository, any_version(repository), r'(<entity name="[^"]+"[^>]*[^/]>)',
        r'\1<attribute name="addedByMistake" optional="YES" attributeType="String"/>')


def make_optional(repository):
    def flipped(match):
        text = match.group(0)
        return text.replace(' optional="YES"', "") if "optional" in text else text.replace("<attribute", '<attribute optional="YES"')

    return edited(repository, any_version(repository), r"<attribute [^>]*>", flipped)


def remove_attribute(repository):
    return edited(repository, any_version(repository), r"<attribute [^>]*/>", "")


def remove_version(repository):
    shutil.rmtree(repository.bundle / f"{any_version(repository)}.xcdatamodel")
    return len(repository.released) > 1


def remove_model(repository):
    shutil.rmtree(repository.bundle)
    other = repository.folder / "App" / "Other.xcdatamodeld" / "Other.xcdatamodel"
    other.mkdir(parents=True)
    (other / "contents").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"/>\n')
    return True


def add_two_versions(repository):
    if not add_version(repository):
        return False
    copy = repository.bundle / "Another 999.xcdatamodel"
    shutil.copytree(repository.last, copy)
    text = (copy / "contents").read_text()
    (copy / "contents").write_text(re.sub(
        r'(<entity name="[^"]+"[^>]*[^/]>)', r'\1<attribute name="another" optional="YES" attributeType="String"/>', text, count=1))
    return True


def forget_current(repository):
    if not add_version(repository):
        return False
    repository.name_current(repository.released[-1])
    return True


def go_back(repository):
    if len(repository.released) < 2:
        return False
    repository.name_current(repository.released[-2])
    return True


def add_mandatory(repository):
    """A new version with an attribute that no migration can fill."""
    new = repository.bundle / "New 999.xcdatamodel"
    shutil.copytree(repository.bundle / f"{repository.released[-1]}.xcdatamodel", new)
    repository.name_current("New 999")
    text = (new / "contents").read_text()
    changed = re.sub(
        r'(<entity name="[^"]+"[^>]*[^/]>)', r'\1<attribute name="mandatory" attributeType="Date"/>', text, count=1)
    (new / "contents").write_text(changed)
    return changed != text


def remove_entity(repository):
    """A new version without an entity that has objects, and that nothing refers to."""
    text = repository.contents(repository.released[-1]).read_text()
    entities = re.findall(r'[ \t]*<entity name="([^"]+)"(?![^>]*isAbstract="YES")[^>]*[^/]>', text)
    free = [name for name in entities if not re.search(f'(?:destination|parent|inverse)Entity(?:Name)?="{name}"', text)]
    if len(entities) < 2 or not free:
        return False
    new = repository.bundle / "New 999.xcdatamodel"
    shutil.copytree(repository.bundle / f"{repository.released[-1]}.xcdatamodel", new)
    repository.name_current("New 999")
    name = repository.random.choice(free)
    text = re.sub(rf'[ \t]*<entity name="{name}".*?</entity>\n', "", text, count=1, flags=re.DOTALL)
    text = re.sub(rf'<memberEntity name="{name}"/>|<element name="{name}"[^>]*/>', "", text)
    (new / "contents").write_text(text)
    return True


def change_release(repository):
    repository.release()
    return change_type(repository)


BROKEN = [
    ("type of an attribute", change_type, CHANGED),
    ("name of an attribute", rename_attribute, CHANGED),
    ("attribute added", add_attribute, CHANGED),
    ("attribute optional or not", make_optional, CHANGED),
    ("attribute removed", remove_attribute, CHANGED),
    ("version removed", remove_version, {"history.removed-version"}),
    ("model removed", remove_model, {"history.removed-model"}),
    ("two new versions", add_two_versions, {"history.several-new-versions"}),
    ("new version not current", forget_current, {"history.not-current"}),
    ("current version older", go_back, {"history.older-current-version"}),
    ("new version out of reach", add_mandatory, {"inference.mandatory-attribute"}),
    ("new version without an entity", remove_entity, {"history.inferred-loss", "history.older-current-version"}),
    ("type, releases on branches", change_release, CHANGED),
]


# Changes that break no rule: no code of these may be reported.

BLAME = re.compile(r"history\.(?!inferred-loss|untested-hop)|failed")


def nothing(repository):
    return True


def reformat(repository):
    return edited(repository, any_version(repository), r"<entity ", "<!-- layout -->\n\n  <entity   ")


def change_user_info(repository):
    return edited(
        repository, any_version(repository), r'(<entity name="[^"]+"[^>]*[^/]>)',
        r'\1<userInfo><entry key="note" value="new"/></userInfo>')


def change_class(repository):
    return edited(repository, any_version(repository), r'representedClassName="(\w+)"', r'representedClassName="\1New"')


def rename_version(repository):
    name = repository.released[0]
    if len(repository.released) < 2:
        return False
    (repository.bundle / f"{name}.xcdatamodel").rename(repository.bundle / f"{name} old.xcdatamodel")
    return True


def move_model(repository):
    target = repository.folder / "Packages" / "Storage" / "Resources"
    target.mkdir(parents=True)
    repository.bundle.rename(target / repository.bundle.name)
    return True


def add_version(repository):
    """The version that follows in the real history."""
    former = repository.bundle / f"{repository.released[-1]}.xcdatamodel" / "contents"
    if repository.last.stem in repository.released or former.read_text() == (repository.last / "contents").read_text():
        return False
    shutil.copytree(repository.last, repository.bundle / repository.last.name)
    repository.name_current(repository.last.stem)
    return True


def prepare_version(repository):
    """A version that was added before becomes the current one."""
    if not add_version(repository):
        return False
    repository.name_current(repository.released[-1])
    repository.commit("prepared")
    repository.name_current(repository.last.stem)
    return True


def add_version_to_releases(repository):
    repository.release()
    return add_version(repository)


def change_other_file(repository):
    (repository.folder / "App" / "App.swift").write_text("let answer = 42\n")
    return True


def change_test_copy(repository):
    copy = repository.folder / "AppTests" / "Old.xcdatamodeld"
    shutil.copytree(repository.bundle, copy)
    repository.commit("test copy")
    name = repository.released[0]
    path = copy / f"{name}.xcdatamodel" / "contents"
    path.write_text(re.sub(r'attributeType="String"', 'attributeType="Double"', path.read_text()))
    return True


SOUND = [
    ("nothing", nothing),
    ("layout", reformat),
    ("user info", change_user_info),
    ("class name", change_class),
    ("version renamed", rename_version),
    ("model moved", move_model),
    ("next version", add_version),
    ("next version, prepared", prepare_version),
    ("next version, releases", add_version_to_releases),
    ("another file", change_other_file),
    ("test's copy", change_test_copy),
]


def bundles(folders):
    for folder in folders:
        for path in sorted(Path(folder).rglob("*.xcdatamodeld")):
            if list(path.glob("*.xcdatamodel/contents")) and not path.is_symlink():
                yield path


def main():
    true, false, missed = Counter(), Counter(), Counter()
    times, count = [], 0
    for bundle in bundles(sys.argv[2:]):
        with tempfile.TemporaryDirectory() as folder:
            repository = Repository(bundle, folder)
            codes, _ = repository.check()
            if any(BLAME.search(code) for code in codes):
                print(f"{bundle}: the history itself is blamed: {sorted(codes)}")
            count += 1
            head = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=folder, text=True).strip()
            for name, deed, expected in BROKEN:
                if deed(repository):
                    codes, seconds = repository.check()
                    times.append((seconds, len(repository.names), bundle.name))
                    if codes & expected:
                        true[name] += 1
                    else:
                        missed[name] += 1
                        print(f"missed: {bundle}: {name}: found {sorted(codes)}")
                repository.restore()
            for name, deed in SOUND:
                if deed(repository):
                    codes, seconds = repository.check()
                    times.append((seconds, len(repository.names), bundle.name))
                    blamed = sorted(code for code in codes if BLAME.search(code))
                    if blamed:
                        false[name] += 1
                        print(f"blamed: {bundle}: {name}: {blamed}")
                    else:
                        true[name] += 1
                repository.git("reset", "-q", "--hard", head)
                repository.restore()
    print(f"{'change':28} {'true':>6} {'false':>6} {'missed':>6}")
    for name in [deed[0] for deed in BROKEN + SOUND]:
        print(f"{name:28} {true[name]:6} {false[name]:6} {missed[name]:6}")
    print(f"{'all':28} {true.total():6} {false.total():6} {missed.total():6}")
    times.sort()
    if times:
        print(f"{count} models; a check takes {times[len(times) // 2][0]:.2f} s (median), at most {times[-1][0]:.2f} s "
              f"({times[-1][2]}, {times[-1][1]} versions)")
    sys.exit(1 if false or missed else 0)


main()
