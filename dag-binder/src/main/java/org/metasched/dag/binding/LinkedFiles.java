package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.metasched.submit.SubmitStatement;

/**
 * The files a DAG needs beside its DAG files and submit descriptions: executables, inputs, scripts. They depend on no site, so they
 * are staged as they are. Directories that jobs write to are made anew, empty.
 *
 * <p>A macro in a name may be anything, so it stands for all files that fit.
 */
final class LinkedFiles {

    static final Set<String> INPUTS =
            Set.of(("executable input stdin transfer_input_files transferinputfiles x509userproxy jar_files"
                            + " container_image checkpoint_files")
                    .split(" "));
    private static final Set<String> OUTPUTS = Set.of("output", "stdout", "error", "stderr", "log");
    static final Set<String> FOLDERS = Set.of("initialdir", "initial_dir", "iwd");
    private static final Pattern MACRO = Pattern.compile("\\$\\$?\\w*\\([^)]*\\)");
    private static final int MOST = 100_000;

    private final Path directory;
    private final OutputTree tree;
    private final FolderListing listing;
    private final Set<String> inputs = new LinkedHashSet<>();
    private final Set<String> exact = new LinkedHashSet<>();
    private final Set<String> folders = new LinkedHashSet<>();

    LinkedFiles(Path directory, OutputTree tree, FolderListing listing) {
        this.directory = directory;
        this.tree = tree;
        this.listing = listing;
    }

    /** Notes what a description needs. */
    void inspect(DescriptionText description, String from) {
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

    private void note(Set<String> into, String from, String written) {
        String name =
                SiteValues.utf8(MACRO.matcher(written.strip()).replaceAll("*")).replace("\"", "");
        boolean isUsable = !name.isEmpty()
                && !name.startsWith("/")
                && !name.contains("://")
                && !name.equals("*")
                && into.size() < MOST;
        if (isUsable) {
            into.add(from.isEmpty() ? name : from + "/" + name);
        }
    }

    /** Notes a file or directory by its exact name, from the directory of the DAG. */
    void add(String name) {
        exact.add(name);
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
        for (String folder : folders) {
            Path original = directory.resolve(folder).normalize();
            if (folder.indexOf('*') < 0 && original.startsWith(directory) && Files.isDirectory(original)) {
                tree.directory(directory.relativize(original).toString());
            }
        }
        for (String name : exact) {
            Path path = directory.resolve(name);
            if (Files.isDirectory(path)) {
                stageAll(path);
            } else {
                tree.input(path, name);
            }
        }
        for (String input : inputs) {
            Path pattern = directory.resolve(input.replace('\0', '_')).normalize();
            if (pattern.startsWith(directory) && !pattern.equals(directory)) {
                find(directory, directory.relativize(pattern), 0);
            }
        }
    }

    private void find(Path folder, Path pattern, int depth) throws IOException {
        String name = pattern.getName(depth).toString();
        boolean last = depth == pattern.getNameCount() - 1;
        if (name.indexOf('*') < 0) {
            descend(folder.resolve(name), pattern, depth, last);
            return;
        }
        Pattern fits = Pattern.compile(Stream.of(name.split("\\*+", -1))
                .map(Pattern::quote)
                .reduce((a, b) -> a + ".*" + b)
                .orElse(""));
        List<Path> found;
        try (Stream<Path> entries = last ? Files.list(folder) : listing.in(folder).stream()) {
            found = entries.filter(
                            path -> fits.matcher(path.getFileName().toString()).matches())
                    .sorted()
                    .limit(MOST)
                    .toList();
        }
        for (Path path : found) {
            descend(path, pattern, depth, last);
        }
    }

    private void descend(Path path, Path pattern, int depth, boolean last) throws IOException {
        if (!last) {
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                find(path, pattern, depth + 1);
            }
        } else if (Files.isRegularFile(path)) {
            tree.input(path, directory.relativize(path).toString());
        } else if (Files.isDirectory(path)) {
            stageAll(path);
        }
    }

    /** A directory that is an input: its files one by one, since a link to the directory would let jobs write into the original. */
    private void stageAll(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
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
