package org.metasched.cli.trust;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.SubjectName;
import org.metasched.cli.output.CommandGroup;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.server.ConfigurationFile;
import org.metasched.trust.AccessPolicy;
import org.metasched.trust.Operation;
import org.metasched.trust.ProtectedResource;
import org.metasched.trust.Role;
import org.metasched.trust.Subject;
import org.metasched.trust.Subject.Action;
import org.metasched.trust.Subject.Kind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code metasched policy}: the access rules of a server. */
@Command(name = "policy", description = "Tells who may do what at a server.", subcommands = PolicyCommand.Explain.class)
public final class PolicyCommand extends CommandGroup {

    /** {@code metasched policy explain}: the operations that a subject may do, with the rules. */
    @Command(
            name = "explain",
            description = {
                "Tells whether a subject may do something, and which rule says so. Without WHAT: all it may do.",
                "Exit code 1 if it may not."
            })
    static final class Explain extends PrintingCommand implements Runnable {

        @Parameters(
                index = "0",
                paramLabel = "WHO",
                description = "A certificate's subject, 'issuer,sub' of a token, or anonymous.")
        private String who;

        @Parameters(index = "1", arity = "0..1", paramLabel = "WHAT", description = "Such as Agreement/Terminate.")
        private @Nullable String what;

        @Option(names = "--config", paramLabel = "FILE", description = "The server's file; else the default rules.")
        private @Nullable Path config;

        @Option(names = "--owner", paramLabel = "SUBJECT", description = "Owner of the object; WHO if not given.")
        private @Nullable String owner;

        @Option(names = "--group", paramLabel = "/VO/GROUP", description = "A group in the token; may be repeated.")
        private List<String> groups = List.of();

        private record Ruling(String operation, boolean allowed, String rule) {}

        @Override
        public void run() {
            var configuration = ConfigurationFile.read(Optional.ofNullable(config), Optional.empty());
            var policy = configuration.listener().security().policy();
            var subject = subject();
            output.say(subject + " is "
                    + String.join(
                            ", ",
                            policy.rolesOf(subject).stream().map(Role::word).toList()) + ".");
            if (what == null) {
                Operation.all().forEach(operation -> print(policy, subject, operation));
            } else if (!print(policy, subject, operation(what))) {
                throw ExitCodeException.no(subject + " may not do " + what + ".");
            }
        }

        private Subject subject() {
            if (who.equals("anonymous")) {
                return Subject.ANONYMOUS;
            }
            String name = SubjectName.canonical(who);
            return name.startsWith("/")
                    ? Subject.ofCertificate(name)
                    : new Subject(
                            Kind.TOKEN,
                            who,
                            groups,
                            groups.isEmpty() ? EnumSet.allOf(Action.class) : EnumSet.noneOf(Action.class),
                            groups.isEmpty(),
                            false);
        }

        private static Operation operation(String id) {
            return Operation.all().stream()
                    .filter(o -> o.id().equals(id))
                    .findFirst()
                    .orElseThrow(() -> ExitCodeException.badInput("There is no operation (" + OutputOptions.plain(id)
                            + "); there are "
                            + Operation.all().stream().map(Operation::id).toList() + "."));
        }

        /** Prints the decision about an operation; returns whether it is allowed. */
        private boolean print(AccessPolicy policy, Subject subject, Operation operation) {
            String whose = owner == null ? subject.name() : SubjectName.canonical(owner);
            var decision =
                    policy.decide(subject, operation.id(), Optional.of(new ProtectedResource("Any", "any", whose)));
            output.print(
                    new Ruling(operation.id(), decision.isAllowed(), decision.rule()),
                    (decision.isAllowed() ? "yes  " : "no   ") + operation.id() + "  (" + decision.rule() + ")");
            return decision.isAllowed();
        }
    }
}
