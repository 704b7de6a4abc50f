package org.metasched.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Names and prose in the words of the field: {@code docs/vocabulary.md} owns each name of one word. */
class VocabularyTest {

    private static final Pattern ONE_WORD = Pattern.compile("[A-Z][a-z0-9]+");
    private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+)`");
    /** Javadoc that names its subject last, or not at all: "What a site has said.", "Of the newest agreements." */
    private static final Pattern INDIRECT =
            Pattern.compile("/\\*\\*\\s*(?:\\*\\s*)?(?:What|Whom|Whose|Of|With|On|In|Those|That|It)\\b[^\n]*");

    /** Words that say "somebody" where a reader needs the noun; the user "nobody" of Unix stands in quotes. */
    private static final Pattern BANNED = Pattern.compile("(?i)(?<!\")\\b(nobody|somebody|whoever|lately)\\b");

    @Test
    void eachNameOfOneWordStandsInTheVocabulary() throws IOException {
        var known = new TreeSet<String>();
        Matcher names = NAMED.matcher(Files.readString(root().resolve("docs/vocabulary.md")));
        while (names.find()) {
            known.add(names.group(1));
        }

        var unexplained = new TreeSet<String>();
        for (Path type : types()) {
            String name = name(type);
            if (ONE_WORD.matcher(name).matches() && !known.contains(name)) {
                unexplained.add(name);
            }
        }

        assertThat(unexplained).isEmpty();
    }

    @Test
    void noTwoTypesHaveOneName() throws IOException {
        Map<String, List<String>> places = new TreeMap<>();
        for (Path type : types()) {
            places.computeIfAbsent(name(type), name -> new ArrayList<>())
                    .add(root().relativize(type).toString());
        }

        places.values().removeIf(files -> files.size() == 1);
        assertThat(places).isEmpty();
    }

    @Test
    void proseNamesWhoOrWhatIsMeant() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : prose()) {
            int line = 0;
            for (String text : Files.readAllLines(file)) {
                line++;
                Matcher word = BANNED.matcher(text);
                if (word.find()) {
                    found.add(root().relativize(file) + ":" + line + ": " + word.group());
                }
            }
        }

        assertThat(found).isEmpty();
    }

    @Test
    void documentationBeginsWithItsSubject() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : prose()) {
            Matcher begins = isMainCode(file) ? INDIRECT.matcher(Files.readString(file)) : INDIRECT.matcher("");
            while (begins.find()) {
                found.add(root().relativize(file) + ": " + begins.group());
            }
        }

        assertThat(found).isEmpty();
    }

    private static List<Path> prose() throws IOException {
        try (Stream<Path> files = Files.walk(root())) {
            return files.filter(VocabularyTest::isOurs)
                    .filter(file -> isMainCode(file) || file.toString().endsWith(".md"))
                    .toList();
        }
    }

    private static List<Path> types() throws IOException {
        try (Stream<Path> files = Files.walk(root())) {
            return files.filter(VocabularyTest::isOurs)
                    .filter(VocabularyTest::isMainCode)
                    .filter(file -> !file.startsWith(root().resolve("examples")))
                    .filter(file -> !name(file).endsWith("-info"))
                    .toList();
        }
    }

    private static boolean isOurs(Path file) {
        String path = root().relativize(file).toString();
        return !path.contains("target/") && !path.startsWith(".");
    }

    private static boolean isMainCode(Path file) {
        return file.toString().endsWith(".java") && file.toString().contains("src/main/java");
    }

    private static String name(Path file) {
        return file.getFileName().toString().replaceFirst("\\.java$", "");
    }

    private static Path root() {
        return Path.of(System.getProperty("metasched.root"));
    }
}
