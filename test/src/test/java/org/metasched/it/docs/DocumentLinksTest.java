package org.metasched.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each relative link of a Markdown page leads to a file, and each anchor to a heading of its page. */
class DocumentLinksTest {
    private static final Path ROOT =
            Path.of(System.getProperty("metasched.root", "..")).toAbsolutePath().normalize();

    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.*?) *#*$");
    private static final Set<String> SKIPPED = Set.of("target", ".git", "node_modules");

    @Test
    void linksAndAnchorsLeadSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        Map<Path, Set<String>> anchors = new HashMap<>();
        List<Path> pages = pages();
        assertThat(pages).isNotEmpty();
        for (Path page : pages) {
            for (String line : textLines(page)) {
                Matcher links = LINK.matcher(line.replaceAll("`[^`]*`", ""));
                while (links.find()) {
                    String target = links.group(1);
                    if (!target.matches("[a-z]+:.*") && !leadsSomewhere(page, target, anchors)) {
                        broken.add(ROOT.relativize(page) + ": " + target);
                    }
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void everyPackageStandsInTheArchitecture() throws IOException {
        String architecture = Files.readString(ROOT.resolve("docs/architecture.md"));
        List<String> missing = new ArrayList<>();
        try (Stream<Path> paths = Files.walk(ROOT)) {
            paths.map(path -> ROOT.relativize(path).toString().replace('\\', '/'))
                    .filter(path -> path.contains("src/main/java/") && path.endsWith("/package-info.java"))
                    .map(path -> path.replaceFirst(".*src/main/java/(.*)/package-info.java", "$1")
                            .replace('/', '.'))
                    .filter(name -> !architecture.contains("`" + name + "`"))
                    .forEach(missing::add);
        }
        assertThat(missing).isEmpty();
    }

    private static boolean leadsSomewhere(Path page, String target, Map<Path, Set<String>> anchors) throws IOException {
        int hash = target.indexOf('#');
        String file = hash < 0 ? target : target.substring(0, hash);
        Path to = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        if (!Files.exists(to)) {
            return false;
        }
        if (hash < 0 || !to.toString().endsWith(".md")) {
            return true;
        }
        if (!anchors.containsKey(to)) {
            anchors.put(to, anchors(to));
        }
        return anchors.get(to).contains(target.substring(hash + 1));
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> paths = Files.walk(ROOT)) {
            return paths.filter(path -> path.toString().endsWith(".md"))
                    .filter(path -> Stream.iterate(ROOT.relativize(path), part -> part != null, Path::getParent)
                            .noneMatch(
                                    part -> SKIPPED.contains(part.getFileName().toString())))
                    .sorted()
                    .toList();
        }
    }

    /** The lines outside code blocks. */
    private static List<String> textLines(Path page) throws IOException {
        List<String> lines = new ArrayList<>();
        boolean code = false;
        for (String line : Files.readAllLines(page)) {
            if (line.stripLeading().startsWith("```")) {
                code = !code;
            } else if (!code) {
                lines.add(line);
            }
        }
        return lines;
    }

    /** The anchors that GitHub makes from headings: lower case, no punctuation, hyphens for spaces, numbered repeats. */
    private static Set<String> anchors(Path page) throws IOException {
        Set<String> anchors = new HashSet<>();
        for (String line : textLines(page)) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                String anchor = heading.group(1)
                        .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N}\\p{Mn} _-]", "")
                        .replace(' ', '-');
                String unique = anchor;
                for (int count = 1; !anchors.add(unique); count++) {
                    unique = anchor + "-" + count;
                }
            }
        }
        return anchors;
    }
}
