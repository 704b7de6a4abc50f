#!/usr/bin/env python3
"""Measures the prose of README, CONTRIBUTING, SECURITY, docs (without decision records) and examples.

Usage: test/prose.py [--report] [PAGE...]

Counts all words as wc does, and sentences without code blocks, tables and comments. Exit code 1: a bound is broken.
--report only prints. A page named on the command line is judged by the bounds of sentences alone.
"""
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ALL_WORDS = 30_000
FIGURES_WORDS = 4_000
TASK_WORDS = 1_200
LONGEST = 40
MEDIAN = 15
# Pages of the group "use it" in mkdocs.yml.
TASKS = re.compile(r"^\s+- .*: (\S+\.md)$")
BANNED = re.compile(r"\b(nobody|somebody|whoever|lately)\b|(?:^|[.:;] )What is (?!the\b)[^?]*? (?:is|are|has|goes|gets)\b", re.I)


def prose(text):
    """Paragraphs and list items, without code, tables, comments, headings and the addresses of links."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"^( *)(```+).*?^\1\2 *$", "", text, flags=re.S | re.M)
    blocks, lines = [], []
    for line in text.splitlines() + [""]:
        item = re.match(r"\s*(?:[-*] |\d+\. )", line)
        if not line.strip() or line.startswith(("#", "|", "    ", "![")) and not (item or lines and line.startswith("    ")) or item:
            if lines:
                blocks.append(" ".join(lines))
                lines = []
            if not item:
                continue
            line = line[item.end():]
        lines.append(line.strip())
    return [re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", block) for block in blocks]


def sentences(text):
    for block in prose(text):
        block = re.sub(r"`[^`]*`", lambda code: "`" + re.sub(r"\W", "x", code.group()) + "`", block)
        for sentence in re.split(r"(?<=[.!?])[)\"*]*\s+(?=[\[(\"*`A-Z0-9])", block):
            if len(re.findall(r"\w", sentence)) > 2:
                yield sentence


def pages():
    found = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
    for folder in ("docs", "examples"):
        found += sorted(path for path in (ROOT / folder).rglob("*.md")
                        if "adr" not in path.relative_to(ROOT).parts and "target" not in path.parts)
    return found


def tasks():
    group, named = False, set()
    for line in (ROOT / "mkdocs.yml").read_text().splitlines():
        if re.match(r"^  - ", line):
            group = line.startswith("  - Use it")
        elif group and TASKS.match(line):
            named.add(TASKS.match(line).group(1))
    return named


def main(arguments):
    report = "--report" in arguments
    named = [pathlib.Path(argument).resolve() for argument in arguments if argument != "--report"]
    faults, total, figures, lengths = [], 0, 0, []
    limited = tasks()
    print(f"{'words':>6} {'sentences':>9} {'median':>6} {'longest':>7}  page")
    for path in named or pages():
        name = str(path.relative_to(ROOT))
        text = path.read_text()
        words = len(text.split())
        total += words
        if re.match(r"docs/performance", name):
            figures += words
        counts = []
        for sentence in sentences(text):
            count = len(sentence.split())
            counts.append(count)
            if count > LONGEST:
                faults.append(f"{name}: {count} words in one sentence: {sentence[:90]}...")
            banned = BANNED.search(sentence)
            if banned:
                faults.append(f"{name}: \"{banned.group().strip()[:40]}\" in: {sentence[:90]}")
        lengths += counts
        print(f"{words:6} {len(counts):9} {statistics.median(counts or [0]):6.0f} {max(counts or [0]):7}  {name}")
        if name in limited and words > TASK_WORDS:
            faults.append(f"{name}: {words} words on a page of tasks; {TASK_WORDS} are allowed")
    print(f"{total:6} {len(lengths):9} {statistics.median(lengths or [0]):6.0f} {max(lengths or [0]):7}  in all")
    if not named and total > ALL_WORDS:
        faults.append(f"{total} words in all; {ALL_WORDS} are allowed")
    if figures > FIGURES_WORDS:
        faults.append(f"{figures} words of figures; {FIGURES_WORDS} are allowed")
    if statistics.median(lengths or [0]) > MEDIAN:
        faults.append(f"half of the sentences have more than {MEDIAN} words")
    print("\n".join(faults))
    return 1 if faults and not report else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
