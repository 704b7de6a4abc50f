package org.metasched.cli.publish;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.soap.SoapServer;
import org.metasched.classad.ClassAd;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.cli.server.ServerAddress;
import org.metasched.http.HttpServer;
import org.metasched.http.LoopbackAddress;
import org.metasched.soap.introduction.IntroductionCalls;
import org.metasched.soap.introduction.MatchNotice;
import org.metasched.soap.introduction.MatchReceiver;
import org.metasched.trust.Authentication;
import org.metasched.trust.Authentication.Tls;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code metasched listen}: a party of matches that prints the notices that it gets. */
@Command(
        name = "listen",
        description = {
            "Waits to be told of matches, and prints each once: with whom, and the ticket to claim with.",
            "Put the URL that it prints into an ad's ContactAddress. --json prints one line for each match."
        })
public final class ListenCommand extends PrintingCommand implements Runnable {

    /** The greatest number of notices that wait to be printed; further ones are refused and sent again later. */
    private static final int MOST_UNPRINTED = 1_000;

    @Option(names = "--port", defaultValue = "0", description = "Port to listen on, 0 for any free one.")
    private int port;

    @Option(names = "--address", description = "Where to listen (default: this machine only).")
    private String address = LoopbackAddress.get().getHostAddress();

    @Option(names = "--count", defaultValue = "0", description = "End after so many matches; 0 for never.")
    private int count;

    @Option(names = "--cert", paramLabel = "FILE", description = "Certificate in PEM or PKCS#12: listens over TLS.")
    private @Nullable Path certificate;

    @Option(
            names = "--key",
            paramLabel = "FILE",
            description = "PEM key of --cert; for PKCS#12 a file with the password.")
    private @Nullable Path key;

    @Override
    public void run() {
        BlockingQueue<MatchNotice> notices = new LinkedBlockingQueue<>(MOST_UNPRINTED);
        // add() throws if the queue is full, and then the matchmaker sends the notice again.
        try (var server = SoapServer.on(HttpServer.at(ServerAddress.toListen(address, port)))
                .authentication(Authentication.open(tls()))
                .service(MatchReceiver.NAME, new MatchReceiver(notices::add))
                .start()) {
            output.say("Listening; ads that say " + IntroductionCalls.CONTACT + " = \""
                    + server.service(MatchReceiver.NAME) + "\" are told here.");
            // After a match that cannot be printed none is taken: the matchmaker then tells later ones again.
            for (int i = 0; (count == 0 || i < count) && !output.out().checkError(); i++) {
                print(notices.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Optional<Tls> tls() {
        if (certificate == null && key == null) {
            return Optional.empty();
        }
        if (certificate == null || key == null) {
            throw ExitCodeException.badInput("TLS needs both --cert and --key.");
        }
        return Optional.of(new Tls(certificate, key));
    }

    /** A match as it is printed. */
    private record PrintedMatch(
            UUID match,
            String role,
            String type,
            String name,
            String other,
            ClassAd otherAd,
            @JsonInclude(Include.NON_ABSENT) Optional<String> ticket,
            boolean preempts) {

        void print(PrintWriter out) {
            out.println(OutputOptions.plain(name + " (" + type + ") was matched with " + other)
                    + (preempts ? ", which is to be pre-empted" : "") + "; match " + match);
            ticket.ifPresent(text -> out.println("  its ticket: " + OutputOptions.plain(text)));
            out.println("  " + otherAd.print());
        }
    }

    private void print(MatchNotice introduced) {
        var printed = new PrintedMatch(
                introduced.match(),
                introduced.role().name().toLowerCase(Locale.ROOT),
                introduced.type(),
                introduced.name(),
                otherName(introduced),
                introduced.other(),
                introduced.ticket(),
                introduced.preempts());
        output.print(printed, printed::print);
    }

    private static String otherName(MatchNotice introduced) {
        return introduced.other().findString("Name").orElse("an ad without name");
    }
}
