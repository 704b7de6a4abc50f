package org.metasched.dag;

import java.util.ArrayList;
import java.util.List;

/** The files a DAG is read from, by number, in the order in which they were opened. Not thread-safe. */
final class SourceFiles {

    /**
     * A file.
     *
     * @param includer number of the file that includes it; -1 if none does
     * @param includeLine line of the INCLUDE
     */
    private record Source(String name, int includer, int includeLine) {}

    private final List<Source> sources = new ArrayList<>();

    int add(String displayName, int includer, int includeLine) {
        sources.add(new Source(displayName, includer, includeLine));
        return sources.size() - 1;
    }

    String name(int file) {
        return sources.get(file).name;
    }

    boolean isEmpty() {
        return sources.isEmpty();
    }

    /**
     * Whether a command in a file may use what another file of the same scope defines. DAGMan reads a file in two passes, definitions
     * first. It reads an included file, also in two passes, when the second pass comes to the INCLUDE. So a file included further down is
     * not known yet.
     */
    boolean isKnown(int usedIn, int line, int definedIn) {
        for (int at = definedIn; at >= 0; at = sources.get(at).includer) {
            if (at == usedIn) {
                return true;
            }
            if (sources.get(at).includer == usedIn) {
                return sources.get(at).includeLine < line;
            }
        }
        // Neither file includes the other, so the one that was opened first was read first.
        return definedIn < usedIn;
    }
}
