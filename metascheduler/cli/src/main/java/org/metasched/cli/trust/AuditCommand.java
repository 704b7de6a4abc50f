package org.metasched.cli.trust;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.metasched.cli.output.CommandGroup;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.trust.AuditLog;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code metasched audit}. */
@Command(
        name = "audit",
        description = "Checks the record of what a server or adapter decided.",
        subcommands = AuditCommand.Verify.class)
public final class AuditCommand extends CommandGroup {

    /** {@code metasched audit verify}. */
    @Command(
            name = "verify",
            description = {
                "Checks that no line was changed, taken out, put in or moved, and prints the newest hash.",
                "Compare it with one that was kept elsewhere: lines cut off at the end show in nothing else."
            })
    static final class Verify extends PrintingCommand implements Runnable {

        @Parameters(paramLabel = "DIR", description = "The folder: audit in the server's data folder.")
        private Path folder;

        private record Verified(long lines, String newest) {}

        @Override
        public void run() {
            if (!Files.isDirectory(folder)) {
                throw ExitCodeException.badInput("The folder (" + folder + ") is not there.");
            }
            try {
                var report = AuditLog.verify(folder);
                if (report.problem().isPresent()) {
                    throw ExitCodeException.no(report.problem().get());
                }
                output.print(
                        new Verified(report.lines(), report.newest()),
                        report.lines() + " lines are sound; the newest hash is " + report.newest());
            } catch (IOException e) {
                throw ExitCodeException.world("The folder (" + folder + ") cannot be read: " + e.getMessage());
            }
        }
    }
}
