package org.metasched.it.live;

import java.util.List;
import org.metasched.it.live.NamedDifferences.Named;

/** Differences between condor_submit 23.9.6 and {@code submit expand}, each by the begin of its row in {@code docs/dag-quirks.md}. */
final class SubmitDifferences {

    static final List<Named> ALL = List.of(
            Named.refusedThere("no queue statement", "no queue statement", ""),
            Named.refusedThere("an `if` without `endif`", "endif.s. not found", "^\\s*if\\b"),
            Named.refusedThere("`$CHOICE` out of range", "Segmentation fault|index \\d+ is out of range", "CHOICE"),
            Named.values("`$CHOICE` out of range", "^Args = ", "^Args = \"( |\"$)", "CHOICE"),
            Named.refusedThere("`((` before items", "without finding closing brace", "\\(\\("),
            Named.refusedThere("`matching files files`", "invalid Queue statement", "files files"),
            Named.values(
                    "an executable that changes",
                    "^(ProcId|Cmd|Args) = ",
                    "^(ProcId|Cmd|Args) = ",
                    "^executable = .*Process"),
            Named.values("`queue 0`", "^0 ads", "^1 ads", "queue 0"),
            Named.values("no `request_disk`", "^RequestDisk = DiskUsage$", "^RequestDisk = MAX", ""),
            Named.values("no `request_memory`", "^RequestMemory = ifthenelse.MemoryUsage", "^RequestMemory = 128$", ""),
            Named.values("a blank item line", "^Args = ", "^Args = ", "from list.txt"));

    private SubmitDifferences() {}
}
