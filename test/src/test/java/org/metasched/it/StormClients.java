package org.metasched.it;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.metasched.adapter.Need;
import org.metasched.agreement.TemplateKey;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementFaultException;
import org.metasched.client.OfferWriter;
import org.metasched.client.OfferWriter.OfferContent;
import org.metasched.client.OfferWriter.Part;

/**
 * Initiators with a fixed number of offers between them, who know that servers die: an offer without an answer is made again,
 * under the same agreement id, to the next server. Every fifth agreement is ended at once. Thread-safe.
 */
final class StormClients {

    private static final int AT_ONCE = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Instant earliest;
    private final Set<Integer> open = ConcurrentHashMap.newKeySet();
    private final Set<String> promised = ConcurrentHashMap.newKeySet();
    private final Set<String> ended = ConcurrentHashMap.newKeySet();
    private final AtomicInteger refusals = new AtomicInteger();
    private final AtomicInteger unanswered = new AtomicInteger();
    private List<Thread> threads = List.of();

    StormClients(int offers, Instant earliest) {
        this.earliest = earliest;
        for (int i = 0; i < offers; i++) {
            open.add(i);
        }
    }

    /** Offers everything that is open to a server, until so many answers have come or nothing is open any more. */
    void storm(URI server, int answersToWaitFor, Random random) throws Exception {
        var client = new AgreementClient(server, PATIENCE);
        var template = AgreementClient.keyOf(client.templates().get(0));
        List<Integer> numbers = new ArrayList<>(open);
        Collections.shuffle(numbers, random);
        Queue<Integer> queue = new ConcurrentLinkedQueue<>(numbers);
        var answers = new CountDownLatch(Math.min(answersToWaitFor, numbers.size()));
        threads = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            var thread = new Thread(() -> work(client, template, queue, answers), "initiator-" + i);
            threads.add(thread);
            thread.start();
        }
        if (!answers.await(60, TimeUnit.SECONDS)) {
            throw new AssertionError("The server at " + server + " gave too few answers within a minute.");
        }
    }

    /** Whether every client has come to its end. */
    boolean areDone() {
        return threads.stream().noneMatch(Thread::isAlive);
    }

    /** After the server died: waits until every client has noticed. */
    void stop() throws InterruptedException {
        for (var thread : threads) {
            thread.interrupt();
            thread.join();
        }
        threads = List.of();
    }

    private void work(AgreementClient client, TemplateKey template, Queue<Integer> queue, CountDownLatch answers) {
        for (Integer number = queue.poll(); number != null && !Thread.interrupted(); number = queue.poll()) {
            try {
                offer(client, template, number);
                answers.countDown();
            } catch (AgreementFaultException e) {
                refusals.incrementAndGet();
                answers.countDown();
            } catch (IOException | RuntimeException e) {
                unanswered.incrementAndGet();
                return;
            }
        }
    }

    private void offer(AgreementClient client, TemplateKey template, int number)
            throws AgreementFaultException, IOException {
        var parts = CrashRecoveryIT.SITES.stream()
                .map(site -> new Part(Optional.of(site), Optional.empty(), new Need.Nodes(4)))
                .toList();
        var content = new OfferContent(
                "offer-" + number, "CN=storm", parts, Duration.ofHours(1), Optional.of(earliest), Optional.empty());
        var made = client.create(OfferWriter.write(template, content));
        if (number % 5 != 0) {
            promised.add(made.agreementId());
            open.remove(number);
        } else {
            client.terminate(made.agreementId());
            ended.add(made.agreementId());
            open.remove(number);
        }
    }

    /** Agreements that exist and were not to be ended, by their ids. */
    Set<String> promised() {
        return promised;
    }

    /** Agreements whose ending was acknowledged, by their ids. */
    Set<String> ended() {
        return ended;
    }

    @Override
    public String toString() {
        return promised.size() + " accepted, " + ended.size() + " ended again, " + refusals + " refusals, " + unanswered
                + " cut off, " + open.size() + " never answered";
    }
}
