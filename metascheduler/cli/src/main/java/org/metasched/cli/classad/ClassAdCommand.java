package org.metasched.cli.classad;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code metasched classad}: ClassAds by hand, no server needed. */
@Command(
        name = "classad",
        mixinStandardHelpOptions = true,
        description = "Evaluates, matches and converts ClassAds.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ClassAdEvalCommand.class,
            ClassAdMatchCommand.class,
            ClassAdConvertCommand.class,
        })
public final class ClassAdCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is missing.");
    }
}
