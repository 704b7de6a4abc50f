package org.metasched.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Documented commands that {@link DocumentsIT} passes over: a test that is named beside them runs them, but for a few. */
class SkippedCommandsTest {

    private static final Path ROOT =
            Path.of(System.getProperty("metasched.root", "..")).toAbsolutePath().normalize();

    /** Bounds that only fall. */
    private static final int MOST = 26;

    private static final int MOST_WITHOUT_A_TEST = 8;

    private static final Pattern SKIP = Pattern.compile("<!-- doc: skip (.*?) -->");
    private static final Pattern NAMED = Pattern.compile("[A-Z]\\w+(?:Test|IT)\\b|test/[\\w/-]+\\.sh");
    private static final Set<String> LEFT_OUT = Set.of("target", ".git", "node_modules");

    @Test
    void aTestIsNamedBesideSkippedCommandsButForAFew() throws IOException {
        Set<String> files = files().map(String::valueOf).collect(Collectors.toSet());
        int count = 0;
        var without = new ArrayList<String>();
        for (Path page : files().filter(file -> file.toString().endsWith(".md")).toList()) {
            var skips = SKIP.matcher(Files.readString(ROOT.resolve(page)));
            while (skips.find()) {
                if (skips.group(1).equals("WHY")) {
                    continue; // the form, in CONTRIBUTING
                }
                count++;
                List<String> named = NAMED.matcher(skips.group(1))
                        .results()
                        .map(found -> found.group().contains("/") ? found.group() : "/" + found.group() + ".java")
                        .toList();
                assertThat(named)
                        .as(page + ": " + skips.group(1))
                        .allMatch(name -> files.stream().anyMatch(file -> file.endsWith(name)));
                if (named.isEmpty()) {
                    without.add(page + ": " + skips.group(1));
                }
            }
        }
        assertThat(count).isBetween(1, MOST);
        assertThat(without).hasSizeLessThanOrEqualTo(MOST_WITHOUT_A_TEST);
    }

    private static Stream<Path> files() throws IOException {
        var files = new ArrayList<Path>();
        collect(ROOT, files);
        return files.stream();
    }

    private static void collect(Path folder, List<Path> files) throws IOException {
        try (Stream<Path> paths = Files.list(folder)) {
            for (Path path : paths.toList()) {
                if (Files.isDirectory(path) && !LEFT_OUT.contains(String.valueOf(path.getFileName()))) {
                    collect(path, files);
                } else if (Files.isRegularFile(path)) {
                    files.add(ROOT.relativize(path));
                }
            }
        }
    }
}
