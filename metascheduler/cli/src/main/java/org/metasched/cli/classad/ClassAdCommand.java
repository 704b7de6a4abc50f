package org.metasched.cli.classad;

import org.metasched.cli.output.CommandGroup;
import picocli.CommandLine.Command;

/** {@code metasched classad}: ClassAds by hand, no server needed. */
@Command(
        name = "classad",
        description = "Evaluates, matches and converts ClassAds.",
        subcommands = {
            ClassAdEvalCommand.class,
            ClassAdMatchCommand.class,
            ClassAdConvertCommand.class,
        })
public final class ClassAdCommand extends CommandGroup {}
