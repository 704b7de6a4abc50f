package org.metasched.dag;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** State that all files of one DAG share while they are read: tables of paths, limits, problems. Not thread-safe. */
final class DagSession {

    /** The directory to which file names in the DAG are relative. */
    final Path root;

    final DagLimits limits;
    final ProblemList problems;
    final SourceFiles sources = new SourceFiles();
    /** The names of submit descriptions, which are files or stand in a DAG file. */
    final ByteNames descriptions = new ByteNames();

    /** Directories of nodes, relative to {@link #root}; number 0 is the root itself. */
    final ByteNames directories = new ByteNames();
    /** Included and spliced files. */
    final List<DagPart> parts = new ArrayList<>();
    /** Files being read at this moment, to notice a file that contains itself. */
    final Set<Path> open = new HashSet<>();

    int spliceCount;
    long nodeCount;
    final GlobalSettings settings = new GlobalSettings();
    final DagDetails details;

    DagSession(Path root, DagLimits limits, DagDetails details) {
        this.root = root;
        this.limits = limits;
        this.problems = new ProblemList(limits.problems());
        this.details = details;
        directories.intern("");
    }

    /** The path of a name in a directory of the DAG; a name with a NUL, or with characters that the locale lacks, leads to no file. */
    Path resolve(String directory, String name) {
        try {
            return root.resolve(directory).resolve(name);
        } catch (InvalidPathException e) {
            return root.resolve(asciiOnly(directory)).resolve(asciiOnly(name));
        }
    }

    private static String asciiOnly(String name) {
        return name.replaceAll("[^\\x01-\\x7f]", "?");
    }

    /** The path {@code inner} below {@code outer}; {@code inner} alone if it is absolute. */
    static String join(String outer, String inner) {
        if (outer.isEmpty() || inner.startsWith("/")) {
            return inner;
        }
        return inner.isEmpty() ? outer : outer + "/" + inner;
    }

    void error(int file, int line, int column, String command, String reason, String hint) {
        problems.error(new DagProblem(sources.name(file), line, column, command, reason, hint));
    }

    void countNode(int file, int line) {
        if (++nodeCount > limits.nodes()) {
            throw tooLarge(file, line, "The DAG has more than " + limits.nodes() + " nodes, its splices included.");
        }
    }

    /** Adds a setting of the whole DAG to those of its kind. */
    void addSetting(Collection<String> kind, String setting, int file, int line) {
        if (kind.add(setting) && kind.size() > limits.nodes()) {
            throw tooLarge(file, line, "The DAG has more than " + limits.nodes() + " settings of this kind.");
        }
    }

    void countSplice(int file, int line) {
        if (++spliceCount > limits.splices()) {
            throw tooLarge(
                    file, line, "The DAG uses more than " + limits.splices() + " splices, nested ones included.");
        }
    }

    private DagTooLargeException tooLarge(int file, int line, String reason) {
        String hint = "Maybe splices contain one another many times over.";
        return new DagTooLargeException(new DagProblem(sources.name(file), line, 0, "", reason, hint));
    }
}
