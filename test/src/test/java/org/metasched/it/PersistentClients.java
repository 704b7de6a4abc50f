package org.metasched.it;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.metasched.adapter.Need;
import org.metasched.agreement.TemplateKey;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementFaultException;
import org.metasched.client.Credentials;
import org.metasched.client.OfferWriter;
import org.metasched.client.OfferWriter.OfferContent;
import org.metasched.client.OfferWriter.Part;

/**
 * Initiators that repeat each offer, under the same agreement id, until they know what became of it. Every fifth agreement is ended, and
 * every seventh offer is a pending one. What they were told is the history that is checked in the end. Thread-safe.
 */
final class PersistentClients implements AutoCloseable {

    private static final Set<String> ASK_AGAIN = Set.of("", "BUSY", "SERVICE_FAILED");
    private static final Duration BEFORE_A_REPEAT = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /**
     * How fast, and how much is left.
     *
     * @param between an offer and the next one of the same initiator
     * @param living agreements that all initiators leave; beyond them they end the oldest
     */
    record Pace(Duration between, int living) {

        static final Pace FULL = new Pace(Duration.ZERO, Integer.MAX_VALUE);
    }

    private final URI address;
    private final Credentials credentials;
    private final List<String> sites;
    private final Instant earliest;
    private volatile int offers;
    private final Pace pace;
    private final Queue<String> oldest = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    final AtomicInteger repeats = new AtomicInteger();
    /** Ids of agreements, by the name of the offer. */
    final Map<String, String> accepted = new ConcurrentHashMap<>();
    /** Not decided when it was acknowledged. */
    final Map<String, String> pending = new ConcurrentHashMap<>();

    final Map<String, String> ended = new ConcurrentHashMap<>();
    final Map<String, String> refused = new ConcurrentHashMap<>();

    PersistentClients(URI address, List<String> sites, Instant earliest, int offers, int atOnce) {
        this(address, Credentials.NONE, sites, earliest, offers, atOnce, Pace.FULL);
    }

    PersistentClients(
            URI address,
            Credentials credentials,
            List<String> sites,
            Instant earliest,
            int offers,
            int atOnce,
            Pace pace) {
        this.address = address;
        this.credentials = credentials;
        this.pace = pace;
        this.sites = sites;
        this.earliest = earliest;
        this.offers = offers;
        threads = Executors.newFixedThreadPool(atOnce);
        for (int i = 0; i < atOnce; i++) {
            threads.execute(this::work);
        }
    }

    /** Offers of which the end is known. */
    int done() {
        return done.get();
    }

    boolean areDone() {
        return done.get() == offers;
    }

    /** No offer is begun any more. */
    void enough() {
        offers = next.getAndSet(Integer.MAX_VALUE / 2);
    }

    private void work() {
        AgreementClient client = new AgreementClient(address, PATIENCE, credentials);
        var template = new TemplateKey("CO-ALLOCATION", "1");
        for (int number = next.getAndIncrement(); number < offers; number = next.getAndIncrement()) {
            while (!isKnown(client, template, number)) {
                repeats.incrementAndGet();
                if (Thread.currentThread().isInterrupted()) {
                    return;
                }
            }
            endBeyond(client);
            done.incrementAndGet();
            pause(pace.between());
        }
    }

    private void endBeyond(AgreementClient client) {
        while (oldest.size() > pace.living()) {
            String name = oldest.poll();
            String id = accepted.containsKey(name) ? accepted.get(name) : pending.get(name);
            while (!isEnded(client, id)) {
                repeats.incrementAndGet();
                if (Thread.currentThread().isInterrupted()) {
                    return;
                }
            }
            ended.put(name, id);
            accepted.remove(name);
            pending.remove(name);
        }
    }

    private static boolean isEnded(AgreementClient client, String id) {
        try {
            end(client, id);
            return true;
        } catch (AgreementFaultException | IOException | RuntimeException e) {
            return pause(BEFORE_A_REPEAT);
        }
    }

    /** One try, from the offer on. */
    private boolean isKnown(AgreementClient client, TemplateKey template, int number) {
        String name = "offer-" + number;
        try {
            var offer = OfferWriter.write(template, content(name, number));
            if (number % 7 == 3) {
                pending.put(name, client.createPending(offer).agreementId());
                oldest.add(name);
                return true;
            }
            var id = client.create(offer).agreementId();
            if (number % 5 != 0) {
                accepted.put(name, id);
                oldest.add(name);
            } else {
                end(client, id);
                ended.put(name, id);
            }
            return true;
        } catch (AgreementFaultException e) {
            if (!ASK_AGAIN.contains(e.code())) {
                refused.put(name, e.code() + " " + e.getMessage());
                return true;
            }
            return pause(BEFORE_A_REPEAT);
        } catch (IOException | RuntimeException e) {
            return pause(BEFORE_A_REPEAT);
        }
    }

    private static boolean pause(Duration time) {
        try {
            TimeUnit.MILLISECONDS.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private static void end(AgreementClient client, String id) throws AgreementFaultException, IOException {
        try {
            client.terminate(id);
        } catch (AgreementFaultException e) {
            // An earlier try ended it, and its answer was lost.
            if (!e.code().equals("AGREEMENT_FINAL")) {
                throw e;
            }
        }
    }

    /** Two of the sites each, and of different sizes, so that some wait for each other. */
    private OfferContent content(String name, int number) {
        var parts = new ArrayList<Part>();
        for (int i = 0; i < 2; i++) {
            parts.add(new Part(
                    Optional.of(sites.get((number + i) % sites.size())),
                    Optional.empty(),
                    new Need.Nodes(1 + number % 8)));
        }
        return new OfferContent(
                name, "CN=storm", parts, Duration.ofMinutes(30), Optional.of(earliest), Optional.empty());
    }

    /** Why offers were refused, and how many each. */
    Map<String, Long> reasons() {
        return refused.values().stream()
                .map(reason -> reason.replaceAll("\\d+", "#"))
                .collect(Collectors.groupingBy(reason -> reason, TreeMap::new, Collectors.counting()));
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    @Override
    public String toString() {
        return accepted.size() + " accepted, " + pending.size() + " taken as pending, " + ended.size() + " ended, "
                + refused.size() + " refused, " + repeats + " repeats";
    }
}
