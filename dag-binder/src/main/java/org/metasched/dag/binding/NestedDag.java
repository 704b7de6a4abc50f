package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.metasched.dag.DagParser;
import org.metasched.dag.DagPart;
import org.metasched.dag.DagProblem;
import org.metasched.dag.ParsedDag;

/**
 * A DAG with the DAGs that its SUBDAG nodes run, at any depth. DAGs whose files do not exist yet are left out: a node may write its DAG
 * when it runs. Immutable.
 *
 * @param root the DAG itself
 * @param file the DAG file
 * @param directory to which file names in it are relative
 * @param all the DAG itself first, then each nested one
 */
public record NestedDag(ParsedDag root, Path file, Path directory, List<Member> all) {

    /**
     * One of the DAGs.
     *
     * @param file the DAG file
     * @param directory in which condor_dagman runs that DAG
     */
    public record Member(ParsedDag parsed, Path file, Path directory) {}

    public NestedDag {
        all = List.copyOf(all);
    }

    /**
     * Reads a DAG and those nested in it. A file that several nodes run is in the list once for each of their directories that is there.
     *
     * @throws IOException if a DAG file cannot be read
     */
    public static NestedDag read(Path file) throws IOException {
        Path absolute = file.toAbsolutePath().normalize();
        Path directory = DagParser.folderOf(file);
        DagParser parser = new DagParser();
        Set<List<Path>> seen = new HashSet<>(Set.of(key(absolute, directory)));
        List<Member> all = new ArrayList<>();
        all.add(new Member(parser.parse(absolute, directory), absolute, directory));
        for (int i = 0; i < all.size(); i++) {
            for (DagPart part : all.get(i).parsed().dag().parts()) {
                Path path = part.path().toAbsolutePath().normalize();
                Path inner = all.get(i).directory().resolve(part.directory()).normalize();
                if (part.role() == DagPart.Role.SUBDAG && Files.isRegularFile(path) && seen.add(key(path, inner))) {
                    all.add(new Member(parser.parse(path, inner), path, inner));
                }
            }
        }
        return new NestedDag(all.get(0).parsed(), absolute, directory, all);
    }

    /** The files of one DAG file in two directories are two members; all directories that are not there are one. */
    static List<Path> key(Path file, Path directory) {
        return List.of(file, Files.isDirectory(directory) ? directory : file);
    }

    /** Whether condor would run all of them. */
    public boolean isSound() {
        return all.stream().allMatch(member -> member.parsed().isSound());
    }

    /** The errors of all of them. */
    public List<DagProblem> errors() {
        return all.stream().flatMap(member -> member.parsed().errors().stream()).toList();
    }
}
