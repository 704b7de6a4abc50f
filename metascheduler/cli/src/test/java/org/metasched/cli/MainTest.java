package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
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

        int exit = Main.commandLine(new PrintWriter(out, true), err, "--help").execute("--help");

        assertThat(exit).isZero();
        assertThat(out.toString()).contains("  reserve ").contains("  classad ").contains("  help ");
    }

    private CommandLine program(String... arguments) {
        return Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    private int run(String... arguments) {
        return Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true))
                .execute(arguments);
    }
}
