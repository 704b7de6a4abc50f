package org.metasched.it.live;

import java.util.List;
import org.metasched.it.live.NamedDifferences.Named;

/** Differences between condor_dagman 23.9.6 and {@code dag check}, each by the begin of its row in {@code docs/dag-quirks.md}. */
final class DagDifferences {

    static final List<Named> ALL = List.of(
            Named.refusedThere("DONE as a command", "!= STATUS_DONE.. at line", "^\\s*DONE\\b"),
            Named.refusedThere("a parent of a node marked DONE", "STATUS_DONE +child may not", "DONE"),
            Named.refusedThere("an edge that two PARENT lines", "_numparents == ", "PARENT"),
            Named.refusedThere("`JOB A @=end`", "", "@="),
            Named.refusedThere(
                    "a line without `=` in an inline", "\\.\\.\\.\\z|parse SUBMIT-DESCRIPTION", "\\{\\s*\\n"),
            Named.refusedThere(
                    "an option twice",
                    "invalid parameter \"(NOOP|DONE|\\d+)",
                    "(NOOP|DONE|\\d+)\\b.* (NOOP|DONE|\\d+)\\b"),
            Named.refusedThere("an entry of ENV SET", "to DAGMan manager jobs environment", "ENV +SET"),
            Named.refusedHere("words behind the `}`", "JOB: Unexpected token '}'", "^\\} *\\}"),
            Named.refusedThere("further words behind the `{`", "invalid parameter", "\\{ *\\S"),
            Named.refusedThere("several nodes for CATEGORY", "Extra token", ""),
            Named.refusedThere("`CHILD` twice", "Unknown Job CHILD", "CHILD CHILD"),
            Named.refusedThere("a comment with `//`", "found //", "^\\s*//"),
            Named.refusedThere("other names and values of VARS", "macroname|VARS", "^\\s*VARS"),
            Named.refusedThere("a folder of a SUBDAG", "can't change to directory", "DIR"),
            Named.refusedThere("a splice before an INCLUDE", "Unknown Job", "^\\s*INCLUDE\\b(?s:.*)^\\s*PARENT"),
            Named.refusedThere("a backslash right behind a word", "", "\\S\\\\$"),
            Named.refusedThere("a file that ends with a backslash", "", "\\\\\\s*\\z"),
            Named.refusedHere("a node whose description", "condor_submit refuses node", ""),
            Named.refusedHere("DONE, SAVE_POINT_FILE", "(DONE|SAVE_POINT_FILE): References undefined node", ""),
            Named.refusedHere("an inline description without end", "Missing inline description closing", ""),
            Named.refusedHere("too many words for CONFIG", "(ENV|CONFIG|DOT|ABORT_DAG_ON|RETRY): ", ""),
            Named.refusedHere("an open quote", "no ending quote found", "[\"']"),
            Named.refusedHere("a cycle", "Cycle detected", ""));

    private DagDifferences() {}
}
