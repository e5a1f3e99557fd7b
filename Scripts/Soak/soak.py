"""Migrates large stores, one scenario after another, and prints a table of the resources that each took.

soak.py --tools FOLDER [--scale NUMBER] [--work FOLDER] [--list] [SCENARIO...]
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from judge import judge
from measure import Measurement, allocated, aside, measure
from models import write_versions
from scenarios import PROJECT, SCENARIOS
from stores import build_store

MIB = 1 << 20
STORE, OLD = "Store.sqlite", "Old.sqlite"


class Soak:
    def __init__(self, tools, work, scale):
        self.tools, self.work, self.scale = tools, work, scale
        self.table = []
        self.findings = []

    def scaled(self, number):
        return max(1, round(number * self.scale))

    def run(self, scenario):
        folder = self.work / scenario.name
        stores = folder / "stores"
        stores.mkdir(parents=True)
        try:
            if scenario.music:
                bundle, mappings = PROJECT / "MappingModels/Music/Music.xcdatamodeld", PROJECT / "MappingModels/Music"
                version, tool, files = "Music 1", self.tools / "SampleTool", [mappings / "1-2.xml"]
            else:
                bundle = write_versions(folder, scenario.versions, scenario.mappings)
                version, tool, mappings = "Soak 1", self.tools / "heavylift", folder
                files = [folder / f"{hop}-{hop + 1}.xml" for hop in range(1, len(scenario.versions))]
            if scenario.pinned:
                for hop, file in enumerate(files, start=1):
                    self.infer(bundle, hop, file, "--pin")
            template = folder / STORE
            aside(build_store, self.tools, template, bundle, version, scenario.fill(self.scaled))
            support = folder / f".{template.stem}_SUPPORT"
            size = allocated(support) + template.stat().st_size
            problems, runs = [], []
            for _ in range(scenario.stores if self.scale == 1 else self.scaled(scenario.stores)):
                shutil.rmtree(stores)
                stores.mkdir()
                (shutil.move if scenario.stores == 1 else shutil.copy)(template, stores / STORE)
                if support.exists():
                    shutil.move(support, stores / support.name)
                runs.append(measure([tool, "migrate", STORE, "-m", bundle, "--mappings", mappings,
                                     "--backup", OLD, "--quiet", *scenario.arguments], stores))
                problems += self.judge(scenario, stores, runs[-1])
            if scenario.verify and not problems:
                problems += self.verify(scenario, tool, bundle, files, stores)
            measured = Measurement.of_all(runs)
            if measured.memory > scenario.memory * MIB:
                problems.append(f"it took {measured.memory / MIB:.0f} MiB of memory, more than {scenario.memory}")
            if scenario.processor and measured.processor > scenario.processor:
                problems.append(f"it took {measured.processor:.0f} s, more than {scenario.processor}")
        except Exception as error:  # A scenario that cannot be carried out is a finding, too.
            problems, size, measured = [f"it cannot be judged: {error!r}"], 0, Measurement()
        self.findings += [(scenario.name, problem) for problem in problems]
        self.table.append(row(scenario, size, measured, "wrong" if problems else "right"))
        print(" | ".join(self.table[-1]), flush=True)
        for problem in problems:
            print(f"FOUND {scenario.name}: {problem}", flush=True)
        if not problems:
            shutil.rmtree(folder)

    def judge(self, scenario, stores, run):
        if run.code != 0:
            return [f"migrate exited with {run.code}: {run.output}"]
        names = {path.name for path in stores.iterdir()}
        allowed = {STORE, OLD, f".{Path(STORE).stem}_SUPPORT", f".{Path(OLD).stem}_SUPPORT"}
        problems = [f"'{name}' is left behind" for name in sorted(names - allowed)]
        if run.output:
            problems.append(f"migrate warned: {run.output}")
        return problems + aside(judge, stores / OLD, stores / STORE, scenario.checks)

    def infer(self, bundle, hop, file, *options):
        subprocess.run([self.tools / "heavylift", "infer", bundle, "--from", f"Soak {hop}", "--to", f"Soak {hop + 1}",
                        "-o", file, *options], check=True, stdout=subprocess.DEVNULL)

    def verify(self, scenario, tool, bundle, files, stores):
        if not scenario.music and not scenario.mappings:
            self.infer(bundle, 1, files[0])
        run = measure([tool, "verify", "--source", OLD, "--destination", STORE, "-m", bundle,
                       *[word for file in files for word in ("--mapping", file)],
                       *(["--sample", scenario.verify] if scenario.verify > 1 else [])], stores)
        print(f"{scenario.name}: verify took {run.wall:.1f} s and {run.memory / MIB:.0f} MiB", flush=True)
        return [] if run.code == 0 else [f"verify exited with {run.code}: {run.output}"]


HEADINGS = ["scenario", "store, MiB", "wall, s", "user + sys, s", "memory, MiB", "allowed", "disk at most, MiB",
            "descriptors", "result"]


def row(scenario, size, measured, result):
    return [scenario.name, f"{size / MIB:.0f}", f"{measured.wall:.1f}", f"{measured.processor:.1f}",
            f"{measured.memory / MIB:.0f}", str(scenario.memory), f"{measured.disk / MIB:.0f}",
            str(measured.descriptors), result]


def print_table(lines):
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    for line in lines:
        cells = [cell.ljust(width) if column == 0 else cell.rjust(width)
                 for column, (cell, width) in enumerate(zip(line, widths))]
        print("  ".join(cells).rstrip())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=Path, help="the folder of heavylift and SampleTool")
    parser.add_argument("--work", type=Path, help="the folder for the stores; by default the temporary folder")
    parser.add_argument("--scale", type=float, default=1, metavar="NUMBER", help="0.01 for a hundredth of all rows")
    parser.add_argument("--list", action="store_true", help="list what each scenario does")
    parser.add_argument("scenario", nargs="*", choices=[[], *[scenario.name for scenario in SCENARIOS]])
    arguments = parser.parse_args()
    if arguments.list:
        for scenario in SCENARIOS:
            print(f"{scenario.name:15} {scenario.about}; {scenario.memory} MiB of memory allowed")
        return
    if not arguments.tools:
        parser.error("--tools is missing")
    work = Path(tempfile.mkdtemp(prefix="heavylift-soak-", dir=arguments.work))
    soak = Soak(arguments.tools.resolve(), work, arguments.scale)
    for scenario in SCENARIOS:
        if not arguments.scenario or scenario.name in arguments.scenario:
            soak.run(scenario)
    print()
    print_table([HEADINGS, *soak.table])
    if soak.findings:
        print(f"\n{len(soak.findings)} findings; the stores are in {work}")
        sys.exit(1)
    shutil.rmtree(work)


main()
