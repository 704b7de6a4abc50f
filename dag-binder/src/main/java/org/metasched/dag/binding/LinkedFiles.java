package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files a DAG needs beside its DAG files and submit descriptions: executables, inputs, scripts. They depend on no site, so the
 * bound DAG links to them. Directories that jobs write to are made anew, empty.
 *
 * <p>A macro in a name may be anything, so it stands for all files that fit.
 */
final class LinkedFiles {

    private static final Pattern INPUT = Pattern.compile(
            "(?im)^[ \\t]*(executable|input|stdin|transfer_input_files|transferinputfiles|x509userproxy|jar_files|"
                    + "container_image|checkpoint_files)[ \\t]*=(?!=)([^\\r\\n]*)");
    private static final Pattern OUTPUT = Pattern.compile(
            "(?im)^[ \\t]*(output|stdout|error|stderr|log|initialdir|initial_dir|iwd)[ \\t]*=(?!=)([^\\r\\n]*)");
    private static final Pattern FROM =
            Pattern.compile("(?im)^[ \\t]*queue\\b[^\\r\\n]*\\bfrom[ \\t]+(?:\\[[^\\]]*\\][ \\t]*)?([^\\s(|<]+)");
    private static final Pattern INCLUDE =
            Pattern.compile("(?im)^[ \\t]*@?include[ \\t]*(?:ifexist[ \\t]*)?:[ \\t]*([^\\r\\n$|]+?)[ \\t\\r]*$");
    private static final Pattern GETENV = Pattern.compile("(?im)^[ \\t]*getenv[ \\t]*=");
    private static final Pattern MACRO = Pattern.compile("\\$\\$?\\w*\\([^)]*\\)");
    private static final int MOST = 100_000;

    private final Path directory;
    private final OutputTree tree;
    private final Set<String> inputs = new LinkedHashSet<>();
    private final Set<String> folders = new LinkedHashSet<>();
    private final Set<String> seen = new HashSet<>();

    LinkedFiles(Path directory, OutputTree tree) {
        this.directory = directory;
        this.tree = tree;
    }

    static boolean hasGetenv(String description) {
        return GETENV.matcher(description).find();
    }

    /** The files a description includes under a name without macros. */
    static List<String> includes(String description) {
        List<String> names = new ArrayList<>();
        Matcher matcher = INCLUDE.matcher(description);
        while (matcher.find() && names.size() < MOST) {
            names.add(SiteValues.utf8(matcher.group(1)));
        }
        return names;
    }

    /** Notes what a description needs. */
    void inspect(String description, String from) {
        if (!seen.add(from + "\0" + description)) {
            return;
        }
        Matcher input = INPUT.matcher(description);
        while (input.find()) {
            for (String name : input.group(2).split(",")) {
                note(inputs, from, name);
            }
        }
        Matcher items = FROM.matcher(description);
        while (items.find()) {
            note(inputs, from, items.group(1));
        }
        Matcher output = OUTPUT.matcher(description);
        while (output.find()) {
            String name = output.group(2).strip();
            boolean isFolder = output.group(1).toLowerCase(Locale.ROOT).startsWith("i");
            note(folders, from, isFolder ? name : name.substring(0, Math.max(0, name.lastIndexOf('/'))));
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

    /** Makes the links and directories. */
    void link(NestedDag dag) throws IOException {
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
        try (Stream<Path> entries = Files.list(folder)) {
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
            tree.link(path, directory.relativize(path).toString());
        } else if (Files.isDirectory(path)) {
            linkAll(path);
        }
    }

    /** A directory that is an input: its files one by one, since a link to the directory would let jobs write into the original. */
    private void linkAll(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(Files::isRegularFile).sorted().limit(MOST).toList()) {
                tree.link(file, directory.relativize(file).toString());
            }
        }
    }
}
