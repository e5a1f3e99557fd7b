"""Locks: an undisturbed migration must not release SQLite's locks by closing a descriptor of its own."""

import functools

from attempts import Attempt


def run_locks(tools, templates, record):
    record.run([Attempt(template, "locks released", "the whole run", functools.partial(watch, tools, template))
                for template in templates])


def watch(tools, template, folder):
    log = folder.with_suffix(".locks")
    log.touch()
    # The migration may run as another user.
    log.chmod(0o666)
    result = template.run(folder, {"LD_PRELOAD": str(tools / "attack-locks.so"), "ATTACK_LOG": str(log)})
    released = log.read_text().splitlines()
    log.unlink()
    return result.code, template.judge(folder, result) + [f"the locks on {path} were released" for path in released]
