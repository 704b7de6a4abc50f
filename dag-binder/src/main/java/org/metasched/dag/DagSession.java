package org.metasched.dag;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What all files of one DAG share while they are read: the tables of paths, the limits, the problems. Not thread-safe. */
final class DagSession {

    /** Another DAG file the DAG is made of. */
    record PartUse(DagPart.Role role, int file, int line, String name, String directory, String written, Path path) {}

    final Path root;
    final DagLimits limits;
    final ProblemList problems;
    /** Display names of the files, by number, in the order in which they were opened. */
    final List<String> files = new ArrayList<>();
    /** The file that includes each file, -1 for none, and the line on which it does. */
    private final IntList includers = new IntList();

    private final IntList includeLines = new IntList();

    final ByteNames descriptions = new ByteNames();
    final ByteNames directories = new ByteNames();
    final List<PartUse> parts = new ArrayList<>();
    /** Files being read at this moment, to notice a file that contains itself. */
    final Set<Path> open = new HashSet<>();

    int splices;
    int failedSplices;
    long nodes;
    boolean rejected;
    boolean configured;
    boolean scripts;
    final List<String> jobAttributes = new ArrayList<>();
    final List<String> environmentSet = new ArrayList<>();
    final List<String> environmentGet = new ArrayList<>();
    /** Scripts and the like by the path from the root, as many as the limit on problems. */
    final Set<String> helpers = new LinkedHashSet<>();

    DagSession(Path root, DagLimits limits) {
        this.root = root;
        this.limits = limits;
        this.problems = new ProblemList(limits.problems());
        directories.number("");
    }

    int file(String displayName, int includer, int includeLine) {
        files.add(displayName);
        includers.add(includer);
        includeLines.add(includeLine);
        return files.size() - 1;
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

    /** A name with a NUL in it is that of no file. */
    Path resolve(String directory, String name) {
        String possible = name.replace('\0', '\ufffd');
        return directory.isEmpty()
                ? root.resolve(possible)
                : root.resolve(directory.replace('\0', '\ufffd')).resolve(possible);
    }

    /** The directory {@code inner} seen from {@code outer}; an absolute one stands for itself. */
    static String join(String outer, String inner) {
        if (outer.isEmpty() || inner.startsWith("/")) {
            return inner;
        }
        return inner.isEmpty() ? outer : outer + "/" + inner;
    }

    /** Notes a file that has to be there when the DAG runs. */
    void helper(String directory, String name) {
        if (helpers.size() < limits.problems() && !name.isEmpty()) {
            helpers.add(join(directory, name));
        }
    }

    void countNode(int file, int line) {
        if (++nodes > limits.nodes()) {
            throw new DagTooLargeException(
                    files.get(file), line, "The DAG has more than " + limits.nodes() + " nodes, its splices included.");
        }
    }

    void countSplice(int file, int line) {
        if (++splices > limits.splices()) {
            throw new DagTooLargeException(
                    files.get(file),
                    line,
                    "The DAG uses more than " + limits.splices() + " splices, nested ones included.");
        }
    }
}
