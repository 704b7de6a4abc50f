package org.metasched.it;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.metasched.adapter.ResourceRequest;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementService;
import org.metasched.agreement.CreationOutcome.Created;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.RequestedPart;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.Wiring;

/**
 * A whole server with clients inside, which lives to be killed: makes the offers whose numbers it is given, from eight
 * threads, and says on stdout what it has been promised. Every fifth agreement is ended again at once.
 *
 * <p>Arguments: configuration, instant of the earliest start, numbers of offers.
 */
final class StormProcess {

    private StormProcess() {}

    public static void main(String[] arguments) throws InterruptedException {
        var server = Wiring.start(ConfigurationFile.read(Path.of(arguments[0])), Clock.systemUTC());
        System.out.println("READY");
        var clients = Executors.newFixedThreadPool(8);
        for (int i = 2; i < arguments.length; i++) {
            int number = Integer.parseInt(arguments[i]);
            clients.execute(() -> offer(server.agreements(), number, Instant.parse(arguments[1])));
        }
        clients.shutdown();
        if (clients.awaitTermination(5, TimeUnit.MINUTES)) {
            System.out.println("DONE");
        }
        Thread.sleep(Duration.ofMinutes(5).toMillis());
    }

    private static void offer(AgreementService service, int number, Instant earliest) {
        try {
            if (!(service.create(offer(service, earliest, number)) instanceof Created created)) {
                System.out.println("REFUSED " + number);
                return;
            }
            var id = created.agreement().id();
            if (number % 5 == 0) {
                System.out.println("ENDING " + number + " " + id);
                service.terminate(id, "changed my mind");
            } else {
                System.out.println("CREATED " + number + " " + id);
            }
        } catch (InterruptedException | RuntimeException e) {
            System.out.println("FAILED " + number + " " + e);
        }
    }

    private static AgreementOffer offer(AgreementService service, Instant earliest, int number) {
        List<RequestedPart> parts = new ArrayList<>();
        for (var site : CrashRecoveryIT.SITES) {
            parts.add(RequestedPart.at(site, ResourceRequest.nodes(4, Duration.ofHours(1))));
        }
        return new AgreementOffer(
                new OfferKey("CN=storm", "offer-" + number),
                "",
                service.templates().get(0).key(),
                List.of(new AgreementRequest(parts, Optional.of(earliest), Optional.empty())),
                List.of(),
                Optional.empty(),
                OfferDocument.NONE,
                Optional.empty());
    }
}
