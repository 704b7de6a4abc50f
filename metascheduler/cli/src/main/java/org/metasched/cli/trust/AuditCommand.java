package org.metasched.cli.trust;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.DisplayText;
import org.metasched.cli.output.CommandGroup;
import org.metasched.cli.output.ErrorMessages;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.trust.AuditLog;
import org.metasched.trust.AuditLog.Anchor;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code metasched audit}: the audit record of a server or adapter. */
@Command(
        name = "audit",
        description = "Checks the record of what a server or adapter decided.",
        subcommands = AuditCommand.Verify.class)
public final class AuditCommand extends CommandGroup {

    /** {@code metasched audit verify}: checks that the record is whole. */
    @Command(
            name = "verify",
            description = {
                "Checks that no line was changed, taken out, put in or moved, and prints number and hash of the newest.",
                "Keep them elsewhere for --since: lines cut off at the end show in nothing else."
            })
    static final class Verify extends PrintingCommand implements Runnable {

        @Parameters(paramLabel = "DIR", description = "The folder: audit in the server's data folder.")
        private Path folder;

        @Option(
                names = "--since",
                paramLabel = "N:HASH",
                description = "A line that was kept elsewhere; the record must have it.")
        private @Nullable String since;

        private record Verified(long lines, String newest, List<String> notProven) {}

        @Override
        public void run() {
            ExitCodeException.badInputIf(!Files.isDirectory(folder), "The folder (%s) is not there.", folder);
            try {
                var report = AuditLog.verify(folder, Optional.ofNullable(since).map(Anchor::of));
                if (report.problem().isPresent()) {
                    throw ExitCodeException.no(report.problem().get());
                }
                String newest = report.number() == 0 ? "" : report.number() + ":" + report.newest();
                var lines = new ArrayList<String>();
                lines.add(DisplayText.count(report.lines(), "line") + (report.lines() == 1 ? " is" : " are") + " sound"
                        + (newest.isEmpty() ? "." : "; the newest is " + newest));
                lines.addAll(report.notProven());
                output.print(new Verified(report.lines(), newest, report.notProven()), String.join("\n", lines));
            } catch (IllegalArgumentException e) {
                throw ExitCodeException.badInput(ErrorMessages.of(e));
            } catch (IOException e) {
                throw ExitCodeException.outside("The folder (" + folder + ") cannot be read: " + ErrorMessages.of(e));
            }
        }
    }
}
