package org.metasched.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program itself: prints its usage when no command is named. One line per command below keeps merges simple. */
@Command(
        name = "metasched",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Reserves several autonomous clusters at the same time, matches ClassAds, binds DAGs to sites.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            picocli.CommandLine.HelpCommand.class,
            DemoCommand.class,
            ServerCommand.class,
            SitesCommand.class,
            StatusCommand.class,
            AdvertiseCommand.class,
            InvalidateCommand.class,
            ListenCommand.class,
            PublishCommand.class,
            TemplatesCommand.class,
            ReserveCommand.class,
            AgreementsCommand.class,
            AgreementCommand.class,
            TerminateCommand.class,
            ClassAdCommand.class,
            GangCommand.class,
            DagCommand.class,
            SubmitCommand.class,
            AdapterCommand.class,
            BenchCommand.class,
        })
final class MetaschedCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is missing.");
    }
}
