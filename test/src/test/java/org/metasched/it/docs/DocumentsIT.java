package org.metasched.it.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs each command that README, docs and examples show, in the order of the document, and compares what it prints with what the
 * document shows: times, ids, ports and milliseconds by their form, {@code ...} for any lines. {@code -Dmetasched.documents=README.md}
 * for one document.
 */
public class DocumentsIT {

    private static final Path ROOT =
            Path.of(System.getProperty("metasched.root", "..")).toAbsolutePath().normalize();

    /** Not ours to run here: the build itself, and what changes the machine. */
    private static final Pattern ELSEWHERE = Pattern.compile(
            "(mvn|apt|apt-get|dnf|docker|sudo|systemctl|git|java|test/fuzz.sh|METASCHED_REBUILD=1) .*", Pattern.DOTALL);

    /** Asked again for a while, as a reader would, until the answer is the one shown: what a server polls may be late. */
    private static final Pattern READING = Pattern.compile("\\./metasched (sites|agreements)( .*)?");

    /** Texts whose form only is compared. */
    private static final List<String> FORMS = List.of(
            "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z",
            "ag-[a-z0-9]{20}", "\\bR\\d+\\.[a-z0-9-]+", "127\\.0\\.0\\.1:\\d+", "\\d+(\\.\\d+)? ms", "\\.{3}");

    @TempDir
    Path folder;

    @TestFactory
    Stream<DynamicContainer> everyCommandDoesWhatTheDocumentSays() throws IOException {
        return everyCommand(System.getProperty("metasched.documents", ""), folder);
    }

    /** The commands of the documents whose paths begin so, with a folder for their clones. */
    public static Stream<DynamicContainer> everyCommand(String documents, Path folder) throws IOException {
        return documents(documents).map(document -> {
            var tests = new ArrayList<DynamicTest>();
            try {
                var blocks = DocumentBlock.of(Files.readAllLines(ROOT.resolve(document)));
                if (!blocks.isEmpty()) {
                    var clone = new FreshClone(
                            ROOT,
                            Files.createDirectories(
                                    folder.resolve(document.toString().replace(File.separatorChar, '-'))));
                    blocks.forEach(block -> tests.add(
                            DynamicTest.dynamicTest("line " + block.line(), () -> check(clone, document, block))));
                    tests.add(DynamicTest.dynamicTest("nothing is left behind", () -> {
                        clone.close();
                        assertThat(clone.leftBehind()).isEmpty();
                    }));
                }
            } catch (IOException e) {
                tests.add(DynamicTest.dynamicTest("is read", () -> {
                    throw e;
                }));
            }
            return DynamicContainer.dynamicContainer(document.toString(), tests);
        });
    }

    private static Stream<Path> documents(String only) throws IOException {
        var documents =
                new ArrayList<>(List.of(Path.of("README.md"), Path.of("CONTRIBUTING.md"), Path.of("SECURITY.md")));
        for (String part : List.of("docs", "examples")) {
            try (Stream<Path> paths = Files.walk(ROOT.resolve(part))) {
                paths.filter(path -> path.toString().endsWith(".md"))
                        .map(ROOT::relativize)
                        .sorted()
                        .forEach(documents::add);
            }
        }
        return documents.stream().filter(document -> document.toString().startsWith(only));
    }

    private static void check(FreshClone clone, Path document, DocumentBlock block) throws Exception {
        block.remark("skip").ifPresent(why -> assumeTrue(false, document + ":" + block.line() + " is not run: " + why));
        if (block.remark("needs").isPresent()) {
            String needed = block.remark("needs").get();
            assumeTrue(
                    clone.run(needed, document, false).exit() == 0,
                    document + ":" + block.line() + " is not run: (" + needed + ") does not succeed on this machine.");
        }
        boolean changes = block.remark("machine").isPresent();
        assumeTrue(
                !changes || Files.isWritable(Path.of("/var/lib/dpkg")) && Files.exists(ROOT.resolve(".git")),
                document + ":" + block.line()
                        + " is not run: it needs root, Debian's apt-get, and a checkout to clone.");
        boolean ran = false;
        for (var command : block.commands()) {
            if (!changes && ELSEWHERE.matcher(command.text()).matches()) {
                continue;
            }
            ran = true;
            if (READING.matcher(command.text()).matches()) {
                Awaitility.await()
                        .atMost(2, TimeUnit.MINUTES)
                        .untilAsserted(() -> check(clone, document, block, command));
            } else {
                check(clone, document, block, command);
            }
        }
        assumeTrue(ran, document + ":" + block.line() + " is not run: it builds, or changes the machine.");
    }

    private static void check(FreshClone clone, Path document, DocumentBlock block, DocumentBlock.Command command)
            throws IOException, InterruptedException {
        var ended = block.remark("machine").isPresent()
                ? clone.runOnTheMachine(command.text())
                : clone.run(command.text(), document, block.remark("background").isPresent());
        String where =
                document + ":" + block.line() + ": " + command.text() + "\n" + String.join("\n", ended.printed());
        assertThat(ended.exit())
                .as(() -> where + clone.printedInBackground())
                .isEqualTo(block.remark("exit").map(Integer::parseInt).orElse(0));
        if (!command.shown().isEmpty() && block.remark("varies").isEmpty()) {
            assertThat(String.join("\n", ended.printed())).as(where).matches(pattern(command.shown()));
        }
    }

    private static Pattern pattern(List<String> shown) {
        var pattern = new StringBuilder();
        for (String line : shown) {
            pattern.append(pattern.isEmpty() ? "" : "\n")
                    .append(line.strip().equals("...") ? "[\\s\\S]*" : form(line.stripTrailing()));
        }
        return Pattern.compile(pattern.toString());
    }

    /** The line literally, but for its variable parts. */
    private static String form(String line) {
        var any = Pattern.compile(String.join("|", FORMS));
        var pattern = new StringBuilder();
        int from = 0;
        var found = any.matcher(line);
        while (found.find()) {
            pattern.append(Pattern.quote(line.substring(from, found.start())));
            pattern.append(found.group().equals("...") ? ".*" : formOf(found.group()));
            from = found.end();
        }
        return pattern.append(Pattern.quote(line.substring(from)))
                .append("\\s*")
                .toString();
    }

    private static String formOf(String text) {
        return FORMS.stream().filter(text::matches).findFirst().orElseThrow();
    }
}
