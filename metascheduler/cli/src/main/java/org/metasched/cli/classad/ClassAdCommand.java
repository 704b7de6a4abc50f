package org.metasched.cli.classad;

import picocli.CommandLine.Command;

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
public final class ClassAdCommand {}
