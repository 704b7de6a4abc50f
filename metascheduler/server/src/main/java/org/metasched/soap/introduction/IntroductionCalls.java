package org.metasched.soap.introduction;

import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.soap.NoAnswer;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Literal;
import org.metasched.classad.Value;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.cycle.Introduction;
import org.metasched.classad.cycle.MatchListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the parties of a match of each other, at the {@code ContactAddress} of their ads: each gets the other's ad, and the ticket that
 * the other has for it. A party without that attribute is not told; it can always ask the collector.
 *
 * <p>The cycle only puts a note in a queue. Calls are made from there, a few at the same time and at most two to one
 * host and port, so that parties which are slow or silent hold up nobody but themselves; each is given up after a fixed time,
 * repeated a few times after growing pauses, and then dropped, as is everything beyond a bound. A match is an introduction: if
 * nobody claims, the next cycle matches again. Nothing waits for a restart.
 *
 * <p>Thread-safe. After section 4 of the 1998 paper (matchmaking and claiming protocols).
 */
public final class IntroductionCalls implements MatchListener, AutoCloseable {

    /** What becomes of a message. */
    public enum End {
        /** The party has heard it. */
        TOLD,
        /** The party does not want to hear it. */
        DECLINED,
        /** The address is none that may be called, or the message cannot be written. */
        NOT_CALLED,
        /** The party did not answer as often as it was called. */
        IN_VAIN,
        /** Too many messages waited already. */
        DROPPED
    }

    /** The attribute with a party's URL, written as a plain text: no expression is evaluated for it in a cycle. */
    public static final String CONTACT = "ContactAddress";

    private static final Logger LOG = LoggerFactory.getLogger(IntroductionCalls.class);
    private static final int MOST_WAITING = 10_000;
    private static final int MOST_UNDER_WAY = 64;
    private static final int MOST_TO_ONE_PARTY = 2;
    private static final int MOST_ATTEMPTS = 4;
    /** Silent parties beyond so many are not remembered as such. */
    private static final int MOST_SILENT = 10_000;

    private static final int LONGEST_ANSWER = 64 * 1024;
    private static final int RESOLVERS = 8;

    /**
     * How patient calls are.
     *
     * @param answerWithin from the beginning of a call to the end of its answer
     * @param firstPause before the second attempt; each further pause is four times as long
     */
    public record Patience(Duration answerWithin, Duration firstPause) {
        public static final Patience USUAL = new Patience(Duration.ofSeconds(10), Duration.ofSeconds(1));
    }

    /** A message and how often it was sent. */
    private record Call(Introduced introduced, URI address, int attempt) {
        Call again() {
            return new Call(introduced, address, attempt + 1);
        }

        String party() {
            return address.getHost().toLowerCase(Locale.ROOT) + ":" + address.getPort();
        }
    }

    /** The calls of one host and port. Belongs to the thread of {@link #book}. */
    private static final class Lane {
        final Deque<Call> waiting = new ArrayDeque<>();
        int underWay;
        boolean ready;
        /** Since a message was given up: then each further one is tried once, until the party answers. */
        boolean silent;
    }

    private final ContactPolicy policy;
    private final Patience patience;
    private final HttpClient http;
    /** One thread that keeps the books: lanes are its own. */
    private final ScheduledThreadPoolExecutor book =
            new ScheduledThreadPoolExecutor(1, task -> daemon(task, "introductions"));

    private final ExecutorService resolvers =
            Executors.newFixedThreadPool(RESOLVERS, task -> daemon(task, "introduction-call"));
    private final Map<String, Lane> lanes = new HashMap<>();
    private final Deque<Lane> ready = new ArrayDeque<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final Map<End, AtomicLong> ends = new EnumMap<>(End.class);
    private int underWay;

    public IntroductionCalls(ContactPolicy policy, Patience patience) {
        this.policy = policy;
        this.patience = patience;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(patience.answerWithin())
                .build();
        for (End end : End.values()) {
            ends.put(end, new AtomicLong());
        }
        book.setRemoveOnCancelPolicy(true);
    }

    /** How many messages came to an end since the start. */
    public long count(End end) {
        AtomicLong count = ends.get(end);
        return count == null ? 0 : count.get();
    }

    @Override
    public void introduced(Introduction introduction) {
        Optional<String> customer = contact(introduction.customer());
        Optional<String> offer = contact(introduction.offer());
        if (customer.isEmpty() && offer.isEmpty()) {
            return;
        }
        UUID match = UUID.randomUUID();
        customer.ifPresent(address -> tell(
                address,
                message(match, Introduced.Role.CUSTOMER, introduction, introduction.customer(), introduction.offer())));
        offer.ifPresent(address -> tell(
                address,
                message(match, Introduced.Role.OFFER, introduction, introduction.offer(), introduction.customer())));
    }

    private static Optional<String> contact(ClassAd ad) {
        return ad.lookup(CONTACT)
                .filter(expr -> expr.bare() instanceof Literal literal && literal.value() instanceof Value.Text)
                .map(expr -> ((Value.Text) ((Literal) expr.bare()).value()).text());
    }

    private static Introduced message(
            UUID match, Introduced.Role role, Introduction introduction, ClassAd own, ClassAd other) {
        AdKey key = AdKey.of(own);
        String ticket = role == Introduced.Role.CUSTOMER ? introduction.offerTicket() : introduction.customerTicket();
        return new Introduced(
                match,
                role,
                key.type(),
                key.name(),
                other,
                Optional.of(ticket).filter(text -> !text.isEmpty()),
                introduction.preempts());
    }

    private void tell(String address, Introduced introduced) {
        try {
            var call = new Call(introduced, ContactPolicy.read(address), 1);
            if (waiting.incrementAndGet() > MOST_WAITING) {
                ended(call, End.DROPPED, "too many wait to be told");
            } else {
                book.execute(() -> enqueue(call));
            }
        } catch (IllegalArgumentException e) {
            count(introduced, End.NOT_CALLED, String.valueOf(e.getMessage()));
        } catch (RejectedExecutionException e) {
            LOG.debug("{} goes untold: the server stops", introduced);
        }
    }

    private void ended(Call call, End end, String why) {
        waiting.decrementAndGet();
        count(call.introduced(), end, why);
    }

    private void count(Introduced introduced, End end, String why) {
        AtomicLong count = ends.get(end);
        long now = count == null ? 0 : count.incrementAndGet();
        // A pool of parties that cannot be told must not fill the log: 1, 2, 4, 8 ...
        if (end == End.TOLD) {
            LOG.debug("{}: told", introduced);
        } else if (Long.bitCount(now) == 1) {
            LOG.warn("{}: not told ({}), {} of them by now: {}", introduced, end, now, why);
        }
    }

    private void enqueue(Call call) {
        Lane lane = lanes.computeIfAbsent(call.party(), party -> new Lane());
        lane.waiting.addLast(call);
        makeReady(lane);
        startSome();
    }

    private void makeReady(Lane lane) {
        if (!lane.ready && !lane.waiting.isEmpty() && lane.underWay < MOST_TO_ONE_PARTY) {
            lane.ready = true;
            ready.addLast(lane);
        }
    }

    /** Starts calls, one of each party in turn. */
    private void startSome() {
        while (underWay < MOST_UNDER_WAY && !ready.isEmpty()) {
            Lane lane = ready.removeFirst();
            lane.ready = false;
            Call call = lane.waiting.removeFirst();
            lane.underWay++;
            underWay++;
            makeReady(lane);
            resolvers.execute(() -> attempt(call));
        }
    }

    private void attempt(Call call) {
        try {
            policy.check(call.address());
            String message = IntroductionMessage.write(call.introduced());
            send(call, message);
        } catch (UnknownHostException e) {
            report(call, null, "the host (" + call.address().getHost() + ") is not known");
        } catch (RuntimeException e) {
            // Whatever it is, the books must know that this call is over.
            report(call, End.NOT_CALLED, String.valueOf(e.getMessage()));
        }
    }

    private void send(Call call, String message) {
        var request = HttpRequest.newBuilder(call.address())
                .header(
                        "Content-Type",
                        "application/soap+xml; charset=utf-8; action=\"" + IntroductionMessage.ACTION + '"')
                .POST(HttpRequest.BodyPublishers.ofString(message, StandardCharsets.UTF_8))
                .build();
        CompletableFuture<HttpResponse<byte[]>> answer =
                http.sendAsync(request, head -> new BoundedBody(LONGEST_ANSWER));
        var alarm =
                book.schedule(() -> answer.cancel(true), patience.answerWithin().toMillis(), TimeUnit.MILLISECONDS);
        answer.whenComplete((response, problem) -> {
            alarm.cancel(false);
            if (problem != null) {
                report(call, null, why(problem));
                return;
            }
            switch (IntroductionMessage.read(response.body(), call.introduced().match())) {
                case HEARD -> report(call, End.TOLD, "");
                case DECLINED -> report(call, End.DECLINED, "it declined");
                case GARBAGE -> report(call, null, "status " + response.statusCode() + " and no answer to the message");
            }
        });
    }

    private String why(Throwable problem) {
        for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
            if (cause instanceof CancellationException) {
                return "no answer within " + patience.answerWithin();
            }
        }
        return NoAnswer.reason(problem);
    }

    /** Notes how a call ended; without an end it may be repeated. */
    private void report(Call call, @Nullable End end, String why) {
        try {
            book.execute(() -> settle(call, end, why));
        } catch (RejectedExecutionException e) {
            LOG.debug("{} goes untold: the server stops", call.introduced());
        }
    }

    private void settle(Call call, @Nullable End end, String why) {
        Lane lane = lanes.computeIfAbsent(call.party(), party -> new Lane());
        lane.underWay--;
        underWay--;
        if (end != null) {
            lane.silent &= end == End.NOT_CALLED;
            ended(call, end, why);
        } else if (call.attempt() >= MOST_ATTEMPTS || lane.silent) {
            lane.silent = true;
            ended(call, End.IN_VAIN, "called " + call.attempt() + " times; " + why);
        } else {
            long pause = patience.firstPause().toMillis() << 2 * (call.attempt() - 1);
            var unused = book.schedule(() -> enqueue(call.again()), pause, TimeUnit.MILLISECONDS);
        }
        makeReady(lane);
        boolean idle = lane.waiting.isEmpty() && lane.underWay == 0;
        if (idle && (!lane.silent || lanes.size() > MOST_SILENT)) {
            lanes.remove(call.party());
        }
        startSome();
    }

    private static Thread daemon(Runnable task, String name) {
        var thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Gives up what waits. */
    @Override
    public void close() {
        book.shutdownNow();
        resolvers.shutdownNow();
    }
}
