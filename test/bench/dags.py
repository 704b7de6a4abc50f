#!/usr/bin/env python3
"""Writes a DAG of a shape, the submit descriptions of its nodes, and the ads of ten sites, for DagBench.

Usage: test/bench/dags.py SHAPE NODES FOLDER

SHAPE:  bag      no edges
        chain    each node after the one before
        layered  layers of 100 nodes; each node has three parents in the layer before
        random   each node has up to three parents among the 100 before
        dense    layers of 100 nodes; each is a parent of all in the next layer
        uscms    groups of 50 jobs, each to stage in, run, stage out and clean up, between a first and a last node of the group

The same arguments give the same files.
"""
import pathlib
import random
import sys

GRID = "universe = grid\ngrid_resource = $ENV(SiteGridResource)\nexecutable = "
LOGGED = "log = $(dagname:wf).log\nqueue\n"
DESCRIPTIONS = {
    "node": 'universe = vanilla\nexecutable = /bin/true\narguments = "$(JOB) $(a:) $(b:)"\nlog = wf.log\nqueue\n',
    "stagein": GRID + '/bin/stage-in\narguments = "$(job) $ENV(SiteExportDir:/scratch)"\n'
               "remote_initialdir = $ENV(SiteWorkingArea)\n" + LOGGED,
    "run": GRID + '$ENV(SiteVDTLocation)/bin/cmsRun\narguments = "-seed $(seed) -n $(job)"\n'
           'environment = "SiteVDTLocation=$ENV(SiteVDTLocation) JOBIDX=$(job)"\nrequest_memory = $(mem:2048)\n'
           "+WANT_USCMS_MATCHMAKER = True\n" + LOGGED,
    "stageout": GRID + '/bin/stage-out\narguments = "$(job) $ENV(SiteExportDir)"\n' + LOGGED,
    "cleanup": GRID + '/bin/cleanup\narguments = "$(job)"\n' + LOGGED,
}
WIDTH = 100
PARENTS = 3
GROUP = 50


def job(name, kind="node", **variables):
    words = " ".join(f'{key}="{value}"' for key, value in variables.items())
    return f"JOB {name} {kind}.sub\n" + (f"VARS {name} {words}\n" if words else "")


def edges(parents, children):
    return f"PARENT {' '.join(parents)} CHILD {' '.join(children)}\n"


def numbered(nodes, parents_of):
    for node in range(nodes):
        yield job(f"n{node}")
        parents = parents_of(node)
        if parents:
            yield edges([f"n{parent}" for parent in sorted(parents)], [f"n{node}"])


def layered(node, draw):
    first = (node // WIDTH - 1) * WIDTH
    return draw.sample(range(first, first + WIDTH), PARENTS) if first >= 0 else []


def among_last(node, draw):
    return {draw.randrange(max(0, node - WIDTH), node) for _ in range(draw.randrange(PARENTS + 1))} if node else []


def dense(nodes):
    for layer in range(nodes // WIDTH):
        names = [f"l{layer}_{column}" for column in range(WIDTH)]
        yield from map(job, names)
        if layer:
            yield edges([f"l{layer - 1}_{column}" for column in range(WIDTH)], names)


def uscms(nodes, draw):
    made = group = 0
    while made < nodes:
        name, last = f"g{group}", []
        yield job(f"{name}_setup", "stagein", job=group)
        made += 1
        while len(last) < GROUP and (made < nodes or not last):
            number = f"{group}.{len(last)}"
            node = f"{name}_j{len(last)}"
            yield job(f"{node}_in", "stagein", job=number) + job(f"{node}_run", "run", job=number, seed=draw.randrange(1 << 30))
            yield job(f"{node}_out", "stageout", job=number) + job(f"{node}_clean", "cleanup", job=number)
            steps = [f"{name}_setup"] + [f"{node}_{step}" for step in ("in", "run", "out", "clean")]
            yield from (edges([before], [after]) for before, after in zip(steps, steps[1:]))
            made += 4
            last.append(steps[-1])
        yield job(f"{name}_teardown", "cleanup", job=group) + edges(last, [f"{name}_teardown"])
        made += 1
        group += 1


def site(number, draw):
    most = draw.randrange(1, 40)
    return (f'MyType = "Machine"\nTargetType = "Job"\nName = "site{number:04d}-USCMS-Site"\n'
            f"CurMatches = {draw.randrange(most + 2)}\nMaxMatches = {most}\nIs_USCMS_Site = True\n"
            f"Memory = {draw.choice([1024, 2048, 4096, 8192])}\n"
            "Requirements = (CurMatches < MaxMatches) && (TARGET.WANT_USCMS_MATCHMAKER =?= TRUE)\n"
            f'SiteEnvironment = "SiteGridResource=batch slurm u@s{number}.example.org;SiteVDTLocation=/vdt{number};'
            f'SiteWorkingArea=/scratch/w{number};SiteExportDir=/export/{number}"\n\n')


def main():
    shape, nodes, folder = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])
    draw = random.Random(1)
    lines = {
        "bag": lambda: numbered(nodes, lambda node: []),
        "chain": lambda: numbered(nodes, lambda node: [node - 1] if node else []),
        "layered": lambda: numbered(nodes, lambda node: layered(node, draw)),
        "random": lambda: numbered(nodes, lambda node: among_last(node, draw)),
        "dense": lambda: dense(nodes),
        "uscms": lambda: uscms(nodes, draw),
    }[shape]
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / f"{shape}.dag", "w", encoding="utf-8") as out:
        out.writelines(lines())
    for kind, text in DESCRIPTIONS.items():
        (folder / f"{kind}.sub").write_text(text)
    sites = random.Random(8)
    (folder / "site.ads").write_text("".join(site(number, sites) for number in range(10)))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main()
