package org.metasched.cli.trust;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.metasched.cli.output.CommandGroup;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.trust.DemoAuthority;
import org.metasched.trust.PasswordFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code metasched pki}: certificates and passwords for trials. */
@Command(
        name = "pki",
        description = "Makes certificates for a trial of TLS, and lines of a file of passwords.",
        subcommands = {PkiCommand.Demo.class, PkiCommand.Password.class})
public final class PkiCommand extends CommandGroup {

    /** {@code metasched pki demo}: a throw-away authority and its certificates. */
    @Command(
            name = "demo",
            description = {
                "Makes a throw-away authority and certificates for server, site, operator, alice and bob in an empty folder.",
                "They hold for 30 days, for this machine's loopback address and for --host; the authority's own key is not kept."
            })
    static final class Demo extends PrintingCommand implements Runnable {

        @Parameters(paramLabel = "DIR", description = "A folder that is empty or does not exist.")
        private Path folder;

        @Option(names = "--name", paramLabel = "NAME", description = "One more certificate; repeat it.")
        private List<String> more = List.of();

        @Option(names = "--host", paramLabel = "NAME", description = "One more DNS name that they hold for; repeat it.")
        private List<String> hosts = List.of();

        @Override
        public void run() {
            var names = new ArrayList<>(List.of("server", "site", "operator", "alice", "bob"));
            names.addAll(more);
            try {
                var authority = new DemoAuthority(folder, Clock.systemUTC(), hosts);
                for (String name : names) {
                    authority.member(name);
                }
                print(authority, names);
            } catch (IOException e) {
                throw new IllegalArgumentException(
                        "The folder (" + folder + ") cannot be written: " + e.getMessage(), e);
            }
        }

        private record Made(Path authorities, Path directory, List<String> subjects) {}

        private void print(DemoAuthority authority, List<String> names) {
            var made = new Made(
                    authority.authorities(),
                    authority.directory(),
                    names.stream().map(DemoAuthority::subjectOf).toList());
            output.print(made, out -> {
                names.forEach(
                        name -> out.println(folder.resolve(name + ".pem") + "  " + DemoAuthority.subjectOf(name)));
                output.say("A server takes server.pem, server.key and the directory " + authority.directory()
                        + ";\na user calls it with --ca " + authority.authorities() + " --cert "
                        + folder.resolve("alice.pem")
                        + " --key " + folder.resolve("alice.key") + ".");
            });
        }
    }

    /** {@code metasched pki password}: a line of a file of passwords. */
    @Command(name = "password", description = "Prints a line of a file of passwords; reads the password from stdin.")
    static final class Password extends PrintingCommand implements Callable<Integer> {

        @Parameters(paramLabel = "NAME", description = "Letters, digits, dots, hyphens, @ and _.")
        private String name;

        @Override
        public Integer call() throws IOException {
            var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            String line = PasswordFile.line(name, Objects.requireNonNullElse(in.readLine(), ""), PasswordFile.ROUNDS);
            output.print(line, line);
            return 0;
        }
    }
}
