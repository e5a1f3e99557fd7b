"""Simulates the disk after a power failure: it has all, nothing or part of what was written since the last sync.

The process is killed first, so that files and folders keep their identity; then its folder gets what the disk had.
"""

import collections
import os
import shutil
import tempfile
from pathlib import Path

Change = collections.namedtuple("Change", "call path second offset data")

# Possible losses: bytes of files, names in folders, both, or every second write, with the last one torn.
LOSSES = ["bytes late", "names late", "all late", "half of the bytes"]
SECTOR = 512


def lose(folder, start, log, loss):
    """Gives the folder of a killed process the contents that the disk had.

    start: the folder's files before, by name; None for a folder. log: the changes that the process made.
    """
    changes = changes_in(log, folder)
    now, names, contents = Disk(start, changes).state(loss)
    with tempfile.TemporaryDirectory(dir=folder.parent) as stash:
        stashed = {}
        for name, number in now.items():
            path = folder / name
            if path.is_file() and number not in stashed:
                stashed[number] = Path(stash) / str(number)
                os.link(path, stashed[number])
        for path in folder.rglob("*"):
            if not path.is_dir():
                path.unlink()
        place_folders(folder, {number: name for name, number in now.items()}, names, contents)
        for name in sorted(names):
            path, number = folder / name, names[name]
            # A folder whose own name did not reach the disk is empty.
            if contents[number] is None or not path.parent.is_dir():
                continue
            if number not in stashed:
                stashed[number] = Path(stash) / str(number)
                stashed[number].touch(mode=0o600)
            os.link(stashed[number], path)
            status = path.stat()
            if path.read_bytes() != contents[number]:
                path.write_bytes(contents[number])
                os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def place_folders(folder, places, names, contents):
    wanted = sorted(name for name, number in names.items() if contents[number] is None)
    for name in wanted:
        before = places.get(names[name])
        if not (folder / name).exists() and (folder / name).parent.is_dir():
            if before and (folder / before).is_dir() and before not in wanted:
                os.rename(folder / before, folder / name)
            else:
                (folder / name).mkdir(mode=0o700)
    for path in sorted(folder.rglob("*"), reverse=True):
        if str(path.relative_to(folder)) not in wanted:
            shutil.rmtree(path)


def changes_in(log, folder):
    """The records of the traced process, with paths below the folder."""
    changes, place = [], 0
    while place < len(log):
        end = log.index(b"\n", place)
        call, path, second, offset, count = log[place:end].decode().split("\t")
        place = end + 1 + int(count)
        # Shared memory does not survive on a disk. The other disk loses nothing.
        if not path.endswith("-shm") and Path(path).is_relative_to(folder):
            relative = [str(Path(name).relative_to(folder)) if name else "" for name in (path, second)]
            changes.append(Change(call, *relative, int(offset), log[end + 1:place]))
    return changes


class Disk:
    """Files and folders have numbers: several names may be one file."""

    def __init__(self, start, changes):
        self.start, self.changes = start, changes

    def initial(self):
        return {name: number for number, name in enumerate(self.start)}, [
            None if data is None else bytearray(data) for data in self.start.values()]

    def state(self, loss):
        """The names that the process saw, those that the disk has, and the contents by number."""
        late_names, late_bytes = loss in ("names late", "all late"), loss in ("bytes late", "all late")
        synced = self.syncs()
        seen, contents = self.initial()
        names = dict(seen)
        last = len(self.changes) - 1
        for place, change in enumerate(self.changes):
            if change.call in ("write", "truncate"):
                number = seen[change.path]
                if place >= synced.get(number, 0):
                    if late_bytes or loss == "half of the bytes" and place % 2:
                        continue
                    if loss == "half of the bytes" and place == last:
                        change = change._replace(data=change.data[:len(change.data) // 2 // SECTOR * SECTOR])
                apply_bytes(contents[number], change)
            elif change.call != "sync":
                if change.call == "open" and change.path in seen:
                    if change.offset and not (late_bytes and place >= synced.get(seen[change.path], 0)):
                        contents[seen[change.path]].clear()
                    continue
                if change.call in ("open", "folder"):
                    contents.append(bytearray() if change.call == "open" else None)
                parent = seen.get(str(Path(change.second or change.path).parent), "top")
                apply_names(seen, change, len(contents) - 1)
                if not late_names or place < synced.get(parent, 0):
                    apply_names(names, change, len(contents) - 1)
        return seen, names, contents

    def syncs(self):
        """The place of the last sync of each file and folder, by its number; that of the top folder is under "top"."""
        seen, contents = self.initial()
        count, synced = len(contents), {}
        for place, change in enumerate(self.changes):
            if change.call == "sync":
                synced[seen.get(change.path, "top")] = place
            elif change.call in ("open", "folder"):
                if change.path not in seen:
                    apply_names(seen, change, count)
                    count += 1
            elif change.call not in ("write", "truncate"):
                apply_names(seen, change, None)
        return synced


def apply_bytes(file, change):
    if change.call == "truncate":
        del file[change.offset:]
    file.extend(bytes(max(0, change.offset - len(file))))
    if change.call == "write":
        file[change.offset:change.offset + len(change.data)] = change.data


def apply_names(names, change, number):
    if change.call in ("open", "folder"):
        names[change.path] = number
    elif change.call == "remove":
        names.pop(change.path, None)
    elif change.call == "link":
        if change.path in names:
            names[change.second] = names[change.path]
    elif change.offset == 1:
        if change.path in names and change.second in names:
            names[change.path], names[change.second] = names[change.second], names[change.path]
    else:
        # A folder moves with everything in it.
        for name in [name for name in names if name == change.path or name.startswith(change.path + "/")]:
            names[change.second + name[len(change.path):]] = names.pop(name)
