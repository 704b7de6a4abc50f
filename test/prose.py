#!/usr/bin/env python3
"""Measures the prose of README, CONTRIBUTING, SECURITY, docs (without decision records) and examples.

Usage: test/prose.py [--report] [PAGE...]

Counts words (blank-separated, with a letter or digit: no bars of tables), and sentences without code blocks, tables and comments. Checks each
relative link and anchor of all Markdown pages. Exit code 1: a bound is broken. --report only prints. A page named on the command line is
judged by the bounds of sentences alone. Pages of figures have a bound of words of their own.
"""
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ALL_WORDS = 38_010
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


def text_lines(path):
    """The lines outside code blocks."""
    code = False
    for line in path.read_text().splitlines():
        if line.lstrip().startswith("```"):
            code = not code
        elif not code:
            yield line


def anchors(path):
    """The anchors that GitHub makes from headings."""
    found = set()
    for line in text_lines(path):
        heading = re.match(r"#{1,6} +(.*?) *#*$", line)
        if heading:
            title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1)).lower()
            anchor = unique = re.sub(r"[^\w -]", "", title).replace(" ", "-")
            count = 0
            while unique in found:
                count += 1
                unique = f"{anchor}-{count}"
            found.add(unique)
    return found


def broken_links():
    for path in sorted(ROOT.rglob("*.md")):
        if {"target", ".git", "node_modules"} & set(path.relative_to(ROOT).parts):
            continue
        for line in text_lines(path):
            for link in re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
                if re.match(r"[a-z]+:", link):
                    continue
                name, _, anchor = link.partition("#")
                to = (path.parent / name).resolve() if name else path
                if not to.exists() or anchor and to.suffix == ".md" and anchor not in anchors(to):
                    yield f"{path.relative_to(ROOT)}: the link {link} leads nowhere"


def main(arguments):
    report = "--report" in arguments
    named = [pathlib.Path(argument).resolve() for argument in arguments if argument != "--report"]
    faults, total, figures, lengths = [], 0, 0, []
    limited = tasks()
    print(f"{'words':>6} {'sentences':>9} {'median':>6} {'longest':>7}  page")
    for path in named or pages():
        name = str(path.relative_to(ROOT))
        text = path.read_text()
        words = sum(1 for word in text.split() if re.search(r"\w", word))
        is_figures = name.startswith("docs/performance")
        if is_figures:
            figures += words
        else:
            total += words
        counts = []
        for sentence in sentences(text):
            count = len(sentence.split())
            counts.append(count)
            if count > LONGEST and not is_figures:
                faults.append(f"{name}: {count} words in one sentence: {sentence[:90]}...")
            banned = BANNED.search(sentence)
            if banned and not is_figures:
                faults.append(f"{name}: \"{banned.group().strip()[:40]}\" in: {sentence[:90]}")
        if not is_figures:
            lengths += counts
        print(f"{words:6} {len(counts):9} {statistics.median(counts or [0]):6.0f} {max(counts or [0]):7}  {name}")
        if name in limited and words > TASK_WORDS:
            faults.append(f"{name}: {words} words on a page of tasks; {TASK_WORDS} are allowed")
    print(f"{total:6} {len(lengths):9} {statistics.median(lengths or [0]):6.0f} {max(lengths or [0]):7}  in all, without {figures} words of figures")
    if not named and total > ALL_WORDS:
        faults.append(f"{total} words in all; {ALL_WORDS} are allowed")
    if figures > FIGURES_WORDS:
        faults.append(f"{figures} words of figures; {FIGURES_WORDS} are allowed")
    if statistics.median(lengths or [0]) > MEDIAN:
        faults.append(f"half of the sentences have more than {MEDIAN} words")
    if not named:
        faults += broken_links()
    print("\n".join(faults))
    return 1 if faults and not report else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
