package org.metasched.cli;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;
import org.metasched.cli.agreement.AgreementCommand;
import org.metasched.cli.agreement.AgreementsCommand;
import org.metasched.cli.agreement.ReserveCommand;
import org.metasched.cli.agreement.TemplatesCommand;
import org.metasched.cli.agreement.TerminateCommand;
import org.metasched.cli.claim.ClaimCommand;
import org.metasched.cli.classad.ClassAdCommand;
import org.metasched.cli.dag.DagCommandGroup;
import org.metasched.cli.dag.MatchCommandGroup;
import org.metasched.cli.dag.SiteCommandGroup;
import org.metasched.cli.dag.SubmitCommand;
import org.metasched.cli.demo.DemoCommand;
import org.metasched.cli.gang.GangCommand;
import org.metasched.cli.install.DoctorCommand;
import org.metasched.cli.install.InitCommand;
import org.metasched.cli.publish.AdvertiseCommand;
import org.metasched.cli.publish.InvalidateCommand;
import org.metasched.cli.publish.ListenCommand;
import org.metasched.cli.publish.PublishCommand;
import org.metasched.cli.server.PriorityCommand;
import org.metasched.cli.server.ServerCommand;
import org.metasched.cli.simulate.SimulateCommand;
import org.metasched.cli.site.AdapterCommand;
import org.metasched.cli.site.SitesCommand;
import org.metasched.cli.site.StatusCommand;
import org.metasched.cli.trust.AuditCommand;
import org.metasched.cli.trust.PkiCommand;
import org.metasched.cli.trust.PolicyCommand;
import org.metasched.cli.watch.WatchCommand;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;

/**
 * The commands by name, in the order that the usage shows them: one line each. The program builds only the branch that its
 * arguments name, because reading the annotations of all commands costs several times the processor time of a short command.
 */
final class CommandTree {

    private static final Map<String, Class<?>> BY_NAME = byName();

    private CommandTree() {}

    /** Adds to the program what the arguments may need: one command, none for {@code --version}, otherwise all. */
    static void addTo(CommandLine program, String... arguments) {
        String first = arguments.length == 0 ? "help" : arguments[0];
        Class<?> named = BY_NAME.get(first);
        boolean needsAll = named == null || named == HelpCommand.class;
        if (first.equals("--version")) {
            return;
        } else if (needsAll) {
            BY_NAME.values().forEach(program::addSubcommand);
        } else {
            program.addSubcommand(named);
        }
        HelpSections.addTo(program);
        var gang = program.getSubcommands().get("gang");
        if (gang != null) {
            ServiceLoader.load(CommandProvider.class)
                    .findFirst()
                    .ifPresentOrElse(benches -> benches.addTo(program, gang), () -> {
                        program.addSubcommand(new AbsentBench());
                        gang.addSubcommand(new AbsentBench());
                    });
        }
    }

    private static Map<String, Class<?>> byName() {
        var commands = new LinkedHashMap<String, Class<?>>();
        commands.put("help", HelpCommand.class);
        commands.put("demo", DemoCommand.class);
        commands.put("init", InitCommand.class);
        commands.put("doctor", DoctorCommand.class);
        commands.put("server", ServerCommand.class);
        commands.put("sites", SitesCommand.class);
        commands.put("status", StatusCommand.class);
        commands.put("advertise", AdvertiseCommand.class);
        commands.put("invalidate", InvalidateCommand.class);
        commands.put("listen", ListenCommand.class);
        commands.put("claim", ClaimCommand.class);
        commands.put("publish", PublishCommand.class);
        commands.put("priority", PriorityCommand.class);
        commands.put("templates", TemplatesCommand.class);
        commands.put("reserve", ReserveCommand.class);
        commands.put("agreements", AgreementsCommand.class);
        commands.put("agreement", AgreementCommand.class);
        commands.put("terminate", TerminateCommand.class);
        commands.put("watch", WatchCommand.class);
        commands.put("explain", ExplainCommand.class);
        commands.put("classad", ClassAdCommand.class);
        commands.put("gang", GangCommand.class);
        commands.put("dag", DagCommandGroup.class);
        commands.put("matches", MatchCommandGroup.class);
        commands.put("site", SiteCommandGroup.class);
        commands.put("submit", SubmitCommand.class);
        commands.put("adapter", AdapterCommand.class);
        commands.put("policy", PolicyCommand.class);
        commands.put("audit", AuditCommand.class);
        commands.put("pki", PkiCommand.class);
        commands.put("simulate", SimulateCommand.class);
        return Collections.unmodifiableMap(commands);
    }
}
