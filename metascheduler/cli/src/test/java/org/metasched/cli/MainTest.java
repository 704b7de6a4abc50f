package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void withoutACommandTheUsageIsPrintedAndTheExitCodeSaysBadInput() {
        int exit = run();

        assertThat(exit).isEqualTo(2);
        assertThat(err.toString()).contains("A command is missing.").contains("Usage: metasched");
    }

    @Test
    void anUnknownCommandIsNamed() {
        int exit = run("reserv");

        assertThat(exit).isEqualTo(2);
        assertThat(err.toString()).contains("reserv");
    }

    @Test
    void messagesOfTheJdkAreInTheLanguageOfTheProgramWhateverThatOfTheUser() throws Exception {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        try {
            program();

            var schema = SchemaFactory.newDefaultInstance();
            assertThatThrownBy(() -> schema.newSchema(new StreamSource(new StringReader("<none/>"))))
                    .hasMessageContaining("The namespace of element");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void argumentsThatNameACommandBuildThatBranchOnly() {
        var all = program().getSubcommands();

        assertThat(all).hasSizeGreaterThan(15);
        all.forEach((name, command) -> assertThat(command.getCommandName()).isEqualTo(name));
        assertThat(program("dag", "bind").getSubcommands()).containsOnlyKeys("dag");
        assertThat(program("dag", "bind").getSubcommands().get("dag").getSubcommands())
                .containsKey("bind");
        assertThat(program("--version").getSubcommands()).isEmpty();
        assertThat(program("help", "dag").getSubcommands()).hasSameSizeAs(all);
        assertThat(program("nonsense").getSubcommands()).hasSameSizeAs(all);
    }

    @Test
    void theUsageOfTheProgramListsItsCommands() {
        var err = new PrintWriter(this.err, true);

        int exit = Main.execute(new PrintWriter(out, true), err, "--help");

        assertThat(exit).isZero();
        assertThat(out.toString()).contains("  reserve ").contains("  classad ").contains("  help ");
    }

    @Test
    void everyCommandHasAGroupAndTwoExamplesThatParse() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("Try:", "Serve:", "Reserve:", "Match:", "DAGs:", "Sites:", "Look:");

        program().getSubcommands().forEach((name, command) -> {
            if (!command.getCommandSpec().usageMessage().hidden()) {
                var examples = HelpSections.examples(name).lines().skip(2).toList();
                assertThat(examples).as(name).hasSizeGreaterThanOrEqualTo(2);
                examples.forEach(example -> {
                    String[] words =
                            example.strip().replaceFirst("^metasched ", "").split(" ");
                    assertThat(words[0]).isIn(name, "help");
                    assertThat(program(words).parseArgs(words).errors()).isEmpty();
                });
            }
        });
    }

    @Test
    void descriptionsAreWholeSentencesAndFormats() {
        program().getSubcommands().values().forEach(MainTest::descriptions);
    }

    private static void descriptions(CommandLine command) {
        var spec = command.getCommandSpec();
        if (spec.usageMessage().hidden()) {
            return;
        }
        String first = String.join("", Arrays.copyOf(spec.usageMessage().description(), 1));
        assertThat(first).as(spec.qualifiedName()).endsWith(".");
        var texts = new ArrayList<>(List.of(spec.usageMessage().description()));
        spec.args().forEach(arg -> texts.addAll(List.of(arg.description())));
        assertThat(texts)
                .as(spec.qualifiedName())
                .allSatisfy(text -> assertThat(String.format(text)).isNotNull());
        command.getSubcommands().values().forEach(MainTest::descriptions);
    }

    @Test
    void explainsEachFaultCodeOfTheDocuments() throws Exception {
        assertThat(run("explain", "no-common-slot")).isZero();
        assertThat(out.toString()).contains("NO_COMMON_SLOT", "no common start", "reserve --explain");
        assertThat(run("explain", "NONSENSE")).isEqualTo(2);

        Path page = Path.of(System.getProperty("metasched.root"), "docs/ws-agreement.md");
        String table = Files.readString(page)
                .replaceFirst("(?s).*\\| code \\| meaning \\|", "")
                .replaceFirst("(?s)\n\n.*", "");
        var documented = Pattern.compile("`([A-Z]+_[A-Z_]+|BUSY|WITHDRAWN)`")
                .matcher(table)
                .results()
                .map(r -> r.group(1));
        assertThat(HelpSections.lines("fault-codes.txt").stream().skip(1).map(line -> line.split(" ")[0]))
                .containsExactlyInAnyOrderElementsOf(documented.toList());
    }

    @Test
    void helpGoesDownThePathOfCommands() {
        assertThat(run("help", "dag", "bind")).isZero();
        assertThat(out.toString()).startsWith("Usage: metasched dag bind ");
        assertThat(run("help", "dag", "bend")).isEqualTo(2);
        assertThat(err.toString()).contains("There is no command (bend); there are bind, check");
    }

    @Test
    void helpShowsBothDollarsOfAMatchMacro() {
        assertThat(run("dag", "bind", "--help")).isZero();
        assertThat(out.toString()).contains("Leave $$() in nodes").contains("variable for $ENV() in");
    }

    @Test
    void aMistypedOptionIsAnsweredInFewLines() {
        assertThat(run("dag", "check", "--jason", "x.dag")).isEqualTo(2);
        assertThat(err.toString().lines().count()).isLessThan(4);
        assertThat(err.toString()).contains("--jason").contains("Try 'metasched dag check --help'.");
    }

    @Test
    void thePolicyKnowsASubjectInBothForms(@TempDir Path folder) throws Exception {
        Path config = Files.writeString(
                folder.resolve("server.yaml"),
                "security: {anonymous: false, roles: {operator: ['/O=Grid/CN=Alice']}}\n"
                        + "sites: [{site: a, scheduler: {type: simulated, nodes: 4}}]\n");

        assertThat(run("policy", "explain", "CN=Alice,O=Grid", "--config", config.toString()))
                .as(err.toString())
                .isZero();

        assertThat(err.toString()).contains("/O=Grid/CN=Alice is user, operator.");
    }

    @Test
    void aWordOfAProgramIsNoOptionOfTheCommand() {
        assertThat(run("reserve", "--site", "a", "--duration", "1h", "/bin/list", "--json"))
                .isEqualTo(2);

        assertThat(out.toString()).isEmpty();
    }

    @Test
    void resultsThatCannotBeWrittenAreAFailureOfTheWorld() {
        var full = new Writer() {
            @Override
            public void write(char[] text, int offset, int length) throws IOException {
                throw new IOException("No space left on device");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };

        int exit = Main.execute(full, new PrintWriter(err, true), "classad", "eval", "1 + 2");

        assertThat(exit).isEqualTo(3);
        assertThat(err.toString()).contains("The results could not be written: No space left on device.");
        var usual = System.in;
        var cases =
                new ByteArrayInputStream("{\"expr\": \"1\"}\n".repeat(100_000).getBytes(StandardCharsets.UTF_8));
        System.setIn(cases);
        try {
            assertThat(Main.execute(full, new PrintWriter(err, true), "classad", "eval", "--jsonl"))
                    .isEqualTo(3);
            assertThat(cases.available()).as("no more is read").isPositive();
        } finally {
            System.setIn(usual);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"./work -v --nodes x", "-- ./work -v --nodes x"})
    void wordsAfterTheProgramOfAClaimAreItsOwn(String program) {
        String[] words = ("claim run 00000000-0000-0000-0000-000000000001 --nodes 2 " + program).split(" ");

        var parsed = program(words).parseArgs(words).subcommand().subcommand();

        assertThat(parsed.commandSpec().positionalParameters().get(1).<Object>getValue())
                .isEqualTo(List.of("./work", "-v", "--nodes", "x"));
        assertThat(parsed.matchedOptionValue("--nodes", 0)).isEqualTo(2);
        assertThat(parsed.hasMatchedOption("--verbose")).isFalse();
    }

    private CommandLine program(String... arguments) {
        return Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    private int run(String... arguments) {
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }
}
