package org.metasched.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.metasched.fakes.InMemoryBooks;
import org.metasched.negotiation.StoreUnavailableException;
import org.metasched.outbox.Outbox.Kind;
import org.metasched.outbox.Outbox.Message;
import org.metasched.outbox.Outbox.MessageKey;
import org.metasched.outbox.OutboxDispatcher.Answer;
import org.metasched.outbox.OutboxDispatcher.End;

@Timeout(60)
class OutboxDispatcherTest {

    private final InMemoryBooks books = new InMemoryBooks();
    private final BlockingQueue<String> called = new LinkedBlockingQueue<>();

    @Test
    void anAttemptIsCountedBeforeTheCallAndTheMessageIsSettledAfterIt() throws Exception {
        var during = new LinkedBlockingQueue<Integer>();
        owe(1, "a");
        try (var dispatcher = dispatcher(terms(3, false), message -> {
            during.add(books.begin(message.key()).orElseThrow().attempts());
            return Answer.TOLD;
        })) {
            dispatcher.collect();

            assertThat(during.poll(30, TimeUnit.SECONDS)).isEqualTo(1);
            Awaitility.await().until(() -> dispatcher.count(End.TOLD) == 1);
            assertThat(books.pending(Kind.INTRODUCTION, 10)).isEmpty();
            assertThat(dispatcher.waiting()).isZero();
        }
    }

    @Test
    void aReceiverThatHangsDelaysItsOwnMessagesOnly() throws Exception {
        var release = new CountDownLatch(1);
        var hanging = new AtomicInteger();
        owe(50, "hangs");
        owe(50, "well");
        try (var dispatcher = dispatcher(terms(3, false), message -> {
            if (message.key().lane().equals("hangs")) {
                hanging.incrementAndGet();
                release.await();
            }
            return Answer.TOLD;
        })) {
            dispatcher.collect();

            Awaitility.await().until(() -> dispatcher.count(End.TOLD) == 50);
            assertThat(hanging).hasValue(2);
        } finally {
            release.countDown();
        }
    }

    @Test
    void aReceiverThatIsSilentIsGivenUpAfterItsAttemptsAndThenCalledOnceForEachMessage() {
        owe(1, "a");
        try (var dispatcher = dispatcher(terms(3, true), message -> {
            called.add(message.key().id());
            return Answer.silent("no");
        })) {
            dispatcher.collect();
            Awaitility.await().until(() -> dispatcher.count(End.IN_VAIN) == 1);
            assertThat(called).hasSize(3);

            owe(1, "a");
            dispatcher.collect();
            Awaitility.await().until(() -> dispatcher.count(End.IN_VAIN) == 2);

            assertThat(called).hasSize(4);
            assertThat(books.pending(Kind.INTRODUCTION, 10)).isEmpty();
        }
    }

    @Test
    void aCallThatTakesTooLongIsInterruptedAndMadeAgain() {
        owe(1, "a");
        var first = new AtomicBoolean(true);
        var terms =
                new RetryPolicy(4, 2, Duration.ofMillis(50), 3, Duration.ofMillis(1), 2, Duration.ofMillis(1), false);
        try (var dispatcher = dispatcher(terms, message -> {
            if (first.getAndSet(false)) {
                new CountDownLatch(1).await();
            }
            return Answer.TOLD;
        })) {
            dispatcher.collect();

            Awaitility.await().until(() -> dispatcher.count(End.TOLD) == 1);
        }
    }

    @Test
    void aCallThatEndsItsProcessEachTimeUsesUpItsAttempts() {
        owe(1, "a");
        var key = books.pending(Kind.INTRODUCTION, 1).get(0);
        IntStream.range(0, 3).forEach(i -> books.begin(key));
        try (var dispatcher = dispatcher(terms(3, false), message -> {
            called.add(message.key().id());
            return Answer.TOLD;
        })) {
            dispatcher.collect();

            Awaitility.await().until(() -> dispatcher.count(End.IN_VAIN) == 1);
            assertThat(called).isEmpty();
        }
    }

    @Test
    void closingSettlesNothing() throws Exception {
        owe(1, "a");
        var calling = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        try (var dispatcher = dispatcher(terms(1, false), message -> {
            calling.countDown();
            try {
                new CountDownLatch(1).await();
            } finally {
                interrupted.countDown();
            }
            return Answer.TOLD;
        })) {
            dispatcher.collect();
            calling.await();
        }
        interrupted.await();

        assertThat(books.pending(Kind.INTRODUCTION, 10)).hasSize(1);
    }

    @Tag("full")
    @Test
    void aStoreThatFailsIsAskedAgain() {
        owe(1, "a");
        var fails = new AtomicBoolean(true);
        books.beforeWrite(() -> {
            if (fails.getAndSet(false)) {
                throw new StoreUnavailableException("no disk", new IllegalStateException());
            }
        });
        try (var dispatcher = dispatcher(terms(3, false), message -> Answer.TOLD)) {
            dispatcher.collect();

            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> dispatcher.count(End.TOLD) == 1);
            assertThat(fails).isFalse();
        }
    }

    private OutboxDispatcher dispatcher(RetryPolicy terms, OutboxDispatcher.Call call) {
        return new OutboxDispatcher(books, Kind.INTRODUCTION, terms, call);
    }

    private static RetryPolicy terms(int mostAttempts, boolean onceWhileSilent) {
        return new RetryPolicy(
                8,
                2,
                Duration.ofSeconds(30),
                mostAttempts,
                Duration.ofMillis(1),
                2,
                Duration.ofMillis(5),
                onceWhileSilent);
    }

    private void owe(int messages, String lane) {
        books.store(IntStream.range(0, messages)
                .mapToObj(i -> new Message(new MessageKey(Kind.INTRODUCTION, lane + i, lane), "there", "hello", 0))
                .toList());
    }
}
