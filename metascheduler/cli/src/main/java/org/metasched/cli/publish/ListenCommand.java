package org.metasched.cli.publish;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.soap.SoapServer;
import org.metasched.classad.Value;
import org.metasched.cli.output.Failure;
import org.metasched.cli.output.OutputOptions;
import org.metasched.soap.introduction.Introduced;
import org.metasched.soap.introduction.IntroductionCalls;
import org.metasched.soap.introduction.MatchReceiver;
import org.metasched.trust.Authentication;
import org.metasched.trust.Authentication.Tls;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code metasched listen}: a party of matches that prints what it is told. */
@Command(
        name = "listen",
        mixinStandardHelpOptions = true,
        description = {
            "Waits to be told of matches, and prints each once: with whom, and the ticket to claim with.",
            "Ads with ContactAddress = \"the URL it prints\" are told here. --json prints one line for each match."
        })
public final class ListenCommand implements Runnable {

    /** More are told again later. */
    private static final int MOST_UNPRINTED = 1_000;

    @Mixin
    private OutputOptions output;

    @Option(names = "--port", defaultValue = "0", description = "Port to listen on, 0 for any free one.")
    private int port;

    @Option(
            names = "--address",
            defaultValue = "127.0.0.1",
            description = "Where to listen (default: this machine only).")
    private String address;

    @Option(names = "--count", defaultValue = "0", description = "End after so many matches; 0 for never.")
    private int count;

    @Option(names = "--cert", paramLabel = "FILE", description = "Certificate in PEM or PKCS#12: listens over TLS.")
    private @Nullable Path certificate;

    @Option(names = "--key", paramLabel = "FILE", description = "Its key in PEM; of PKCS#12 a file with its password.")
    private @Nullable Path key;

    @Override
    public void run() {
        BlockingQueue<Introduced> heard = new LinkedBlockingQueue<>(MOST_UNPRINTED);
        // add() throws when the queue is full, and then the matchmaker tells again.
        try (var server = SoapServer.at(at())
                .authentication(Authentication.open(tls()))
                .service(MatchReceiver.NAME, new MatchReceiver(heard::add))
                .start()) {
            output.say("Listening; ads that say " + IntroductionCalls.CONTACT + " = \""
                    + server.service(MatchReceiver.NAME) + "\" are told here.");
            for (int i = 0; count == 0 || i < count; i++) {
                print(heard.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IllegalArgumentException e) {
            throw Failure.badInput(String.valueOf(e.getMessage()));
        } catch (IllegalStateException e) {
            throw Failure.world(String.valueOf(e.getMessage()));
        }
    }

    private InetSocketAddress at() {
        if (port < 0 || port > 65_535) {
            throw Failure.badInput("The port (" + port + ") must be from 0 to 65535.");
        }
        try {
            return new InetSocketAddress(InetAddress.getByName(address), port);
        } catch (UnknownHostException e) {
            throw Failure.badInput("The address (" + address + ") to listen at is not known.");
        }
    }

    private Optional<Tls> tls() {
        if (certificate == null && key == null) {
            return Optional.empty();
        }
        if (certificate == null || key == null) {
            throw Failure.badInput("TLS needs both --cert and --key.");
        }
        return Optional.of(new Tls(certificate, key));
    }

    private void print(Introduced introduced) {
        if (output.json()) {
            output.printJson(json(introduced));
            return;
        }
        var out = output.out();
        out.println(OutputOptions.plain(
                        introduced.name() + " (" + introduced.type() + ") was matched with " + otherName(introduced))
                + (introduced.preempts() ? ", which is to be pre-empted" : "") + "; match " + introduced.match());
        introduced.ticket().ifPresent(ticket -> out.println("  its ticket: " + OutputOptions.plain(ticket)));
        out.println("  " + introduced.other().print());
        out.flush();
    }

    private static Map<String, Object> json(Introduced introduced) {
        var document = new LinkedHashMap<String, Object>();
        document.put("match", introduced.match().toString());
        document.put("role", introduced.role().name().toLowerCase(Locale.ROOT));
        document.put("type", introduced.type());
        document.put("name", introduced.name());
        document.put("other", otherName(introduced));
        document.put("otherAd", introduced.other().print());
        introduced.ticket().ifPresent(ticket -> document.put("ticket", ticket));
        document.put("preempts", introduced.preempts());
        return document;
    }

    private static String otherName(Introduced introduced) {
        return introduced.other().evaluate("Name") instanceof Value.Text name ? name.text() : "an ad without name";
    }
}
