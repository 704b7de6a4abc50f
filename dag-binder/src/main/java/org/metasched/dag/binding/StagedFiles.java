package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import org.metasched.submit.SubmitStatement;

/**
 * The files a DAG needs beside its DAG files and submit descriptions: executables, inputs, scripts. They depend on no site, so they
 * are staged as they are. Directories of nodes and of outputs are made anew, empty, if the original has them. {@link NodeFiles} adds
 * PRE and POST scripts, directories of outputs, and inputs whose names have macros.
 */
final class StagedFiles {

    static final Set<String> INPUT_COMMANDS =
            Set.of(("executable input stdin transfer_input_files transferinputfiles x509userproxy jar_files"
                            + " container_image checkpoint_files")
                    .split(" "));

    private final Path directory;
    private final OutputTree tree;
    private final Set<Path> inputs = new LinkedHashSet<>();
    private final Set<Path> folders = new LinkedHashSet<>();

    StagedFiles(Path directory, OutputTree tree) {
        this.directory = directory;
        this.tree = tree;
    }

    /** Notes the inputs that a description names, relative to the directory {@code from}. */
    void inspect(ParsedDescription description, String from) {
        for (SubmitStatement statement : description.statements()) {
            if (statement.sets(INPUT_COMMANDS)) {
                for (String name : statement.value().split(",")) {
                    note(inputs, from, name);
                }
            } else if (statement.kind() == SubmitStatement.Kind.QUEUE) {
                note(inputs, from, statement.file());
            }
        }
    }

    /**
     * Adds a file by its name relative to {@code from}, without double quotes. A name that is absolute, a URL, has macros or leads out of
     * the directory is left out.
     */
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

    /** Notes a directory within that of the DAG, which is made if it exists there. */
    void addFolder(Path folder) {
        folders.add(folder);
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
        for (Path path : OutputTree.walk(input, FileVisitOption.FOLLOW_LINKS)) {
            String name = directory.relativize(path).toString();
            if (Files.isRegularFile(path)) {
                tree.input(path, name);
            } else if (Files.isDirectory(path)) {
                tree.directory(name);
            }
        }
    }
}
