package org.metasched.dag;

import java.util.ArrayList;
import java.util.List;

/** The files a DAG is read from, by number, in the order in which they were opened. Not thread-safe. */
final class SourceFiles {

    private final List<String> names = new ArrayList<>();
    /** The file that includes each file, -1 for none, and the line of its INCLUDE. */
    private final IntList includers = new IntList();

    private final IntList includeLines = new IntList();

    int add(String displayName, int includer, int includeLine) {
        names.add(displayName);
        includers.add(includer);
        includeLines.add(includeLine);
        return names.size() - 1;
    }

    String name(int file) {
        return names.get(file);
    }

    boolean isEmpty() {
        return names.isEmpty();
    }

    /**
     * Whether a command in a file may use what another file of the same scope defines. DAGMan reads a file twice, definitions first,
     * and reads an included file, twice as well, where its INCLUDE stands in the second pass: what stands in a file included further
     * down is not known yet.
     */
    boolean isKnown(int usedIn, int line, int definedIn) {
        for (int at = definedIn; at >= 0; at = includers.get(at)) {
            if (at == usedIn) {
                return true;
            }
            if (includers.get(at) == usedIn) {
                return includeLines.get(at) < line;
            }
        }
        return definedIn < usedIn;
    }
}
