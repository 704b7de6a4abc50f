package org.metasched.cli;

import org.metasched.cli.agreement.AgreementCommand;
import org.metasched.cli.agreement.AgreementsCommand;
import org.metasched.cli.agreement.ReserveCommand;
import org.metasched.cli.agreement.TemplatesCommand;
import org.metasched.cli.agreement.TerminateCommand;
import org.metasched.cli.bench.BenchCommand;
import org.metasched.cli.classad.ClassAdCommand;
import org.metasched.cli.dag.DagCommand;
import org.metasched.cli.dag.SubmitCommand;
import org.metasched.cli.demo.DemoCommand;
import org.metasched.cli.gang.GangCommand;
import org.metasched.cli.publish.AdvertiseCommand;
import org.metasched.cli.publish.InvalidateCommand;
import org.metasched.cli.publish.ListenCommand;
import org.metasched.cli.publish.PublishCommand;
import org.metasched.cli.server.ServerCommand;
import org.metasched.cli.site.AdapterCommand;
import org.metasched.cli.site.SitesCommand;
import org.metasched.cli.site.StatusCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program itself: prints its usage when the arguments name no command. Its commands are in {@link Commands}. */
@Command(
        name = "metasched",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Reserves several autonomous clusters at the same time, matches ClassAds, binds DAGs to sites.",
        synopsisSubcommandLabel = "COMMAND")
final class MetaschedCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is missing.");
    }
}
