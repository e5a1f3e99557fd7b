"""Copies the pages of all targets to one DocC catalog.

catalog.py FOLDER   Run it in the project's folder.

The pages link to each other by path, so that the links work on a Git host. DocC would treat these as links to other
sites. In the catalog, '[Limits](../../Heavylift/Heavylift.docc/Limits.md)' is '<doc:Limits>'. A link that leads to no
page or heading is an error, and so is a link in DocC's form, which a Git host cannot follow.
"""

import re
import shutil
import sys
from pathlib import Path

LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+\.md)(#[^)\s]+)?\)")


def title(page):
    return page.read_text().split("\n")[0].removeprefix("# ")


def heading(page, anchor):
    """The heading with an anchor of a Git host, as DocC writes it: '#shared-objects' is 'Shared-objects'."""
    for text in re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE):
        words = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        if words.lower() == anchor:
            return words
    return None


def converted(page, mistakes):
    def link(match):
        text, path, anchor = match.groups()
        target = (page.parent / path).resolve()
        if not (target.is_file() and target.parent.suffix == ".docc"):
            mistakes.append(f"{page}: error: the link '{path}' leads to no page of the documentation")
            return match.group()
        name = target.stem
        if anchor:
            place = heading(target, anchor[1:])
            if place is None:
                mistakes.append(f"{page}: error: '{path}' has no heading for '{anchor}'")
            name += f"#{place}"
        return f"<doc:{name}>" if text == title(target) else f"[{text}](doc:{name})"

    lines = page.read_text().split("\n")
    for number, line in enumerate(lines, 1):
        if re.search(r"<doc:|\(doc:", line):
            mistakes.append(
                f"{page}:{number}: error: a Git host cannot follow a 'doc:' link\n"
                "  write the path of the page, such as '[Limits](Limits.md)'")
    text = LINK.sub(link, "\n".join(lines))
    # DocC finds an image by its name.
    return re.sub(r"(!\[[^\]]*\]\()Resources/", r"\1", text)


def main():
    catalog = Path(sys.argv[1])
    mistakes = []
    for folder in sorted(Path("Sources").glob("*/*.docc")):
        shutil.copytree(folder, catalog, dirs_exist_ok=True)
        for page in sorted(folder.rglob("*.md")):
            (catalog / page.relative_to(folder)).write_text(converted(page, mistakes))
    if mistakes:
        sys.exit("\n".join(mistakes))


main()
