package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.metasched.submit.SubmitStatement;

/**
 * The files a DAG needs beside its DAG files and submit descriptions: executables, inputs, scripts. They depend on no site, so they
 * are staged as they are. Directories that jobs write to, if they exist, are made anew, empty. Names with macros differ by node;
 * {@link NodeFiles} adds them.
 */
final class StagedFiles {

    static final Set<String> INPUTS =
            Set.of(("executable input stdin transfer_input_files transferinputfiles x509userproxy jar_files"
                            + " container_image checkpoint_files")
                    .split(" "));
    private static final Set<String> OUTPUTS = Set.of("output", "stdout", "error", "stderr", "log");
    static final Set<String> FOLDERS = Set.of("initialdir", "initial_dir", "iwd");

    private final Path directory;
    private final OutputTree tree;
    private final Set<Path> inputs = new LinkedHashSet<>();
    private final Set<Path> folders = new LinkedHashSet<>();

    StagedFiles(Path directory, OutputTree tree) {
        this.directory = directory;
        this.tree = tree;
    }

    /** Notes the files and directories that a description names, relative to the directory {@code from}. */
    void inspect(ParsedDescription description, String from) {
        for (SubmitStatement statement : description.statements()) {
            String value = statement.value();
            if (statement.sets(INPUTS)) {
                for (String name : value.split(",")) {
                    note(inputs, from, name);
                }
            } else if (statement.sets(FOLDERS)) {
                note(folders, from, value);
            } else if (statement.sets(OUTPUTS)) {
                note(folders, from, value.substring(0, Math.max(0, value.lastIndexOf('/'))));
            } else if (statement.kind() == SubmitStatement.Kind.QUEUE) {
                note(inputs, from, statement.file());
            }
        }
    }

    private void note(Set<Path> into, String from, String written) {
        String name = SiteValues.utf8(written.strip()).replace("\"", "");
        if (name.isEmpty() || name.startsWith("/") || name.contains("://") || name.contains("$(")) {
            return;
        }
        try {
            Path path = directory.resolve(from).resolve(name).normalize();
            if (path.startsWith(directory) && !path.equals(directory)) {
                into.add(path);
            }
        } catch (InvalidPathException e) {
            // No file has this name.
        }
    }

    /** Notes a file or directory by its path relative to the directory of the DAG. */
    void add(String name) {
        inputs.add(directory.resolve(name));
    }

    /** Stages the files and makes the directories. */
    void stage(NestedDag dag) throws IOException {
        for (NestedDag.Member member : dag.all()) {
            String from = directory.relativize(member.directory().normalize()).toString();
            for (String helper : member.parsed().dag().helperFiles()) {
                note(inputs, from, SiteValues.latin1(helper));
            }
            for (String folder : member.parsed().dag().directories()) {
                note(folders, from, SiteValues.latin1(folder));
            }
        }
        for (Path folder : folders) {
            if (Files.isDirectory(folder)) {
                tree.directory(directory.relativize(folder).toString());
            }
        }
        for (Path input : inputs) {
            if (Files.exists(input)) {
                stage(input);
            }
        }
    }

    /** Stages a file, or the files of a directory one by one: through a link to the directory, jobs would write into the original. */
    private void stage(Path input) throws IOException {
        try (Stream<Path> paths = Files.walk(input, FileVisitOption.FOLLOW_LINKS)) {
            for (Path path : paths.sorted().toList()) {
                String name = directory.relativize(path).toString();
                if (Files.isRegularFile(path)) {
                    tree.input(path, name);
                } else if (Files.isDirectory(path)) {
                    tree.directory(name);
                }
            }
        }
    }
}
