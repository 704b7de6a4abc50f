package org.metasched.notice;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.metasched.fakes.InMemoryBooks;
import org.metasched.outbox.Outbox.Kind;
import org.metasched.outbox.Outbox.Message;
import org.metasched.outbox.Outbox.MessageKey;
import org.metasched.outbox.OutboxDispatcher;
import org.metasched.outbox.OutboxDispatcher.Answer;
import org.metasched.outbox.OutboxDispatcher.End;
import org.metasched.outbox.RetryPolicy;
import org.slf4j.LoggerFactory;

/** What the log says at its usual level of a receiver that does not answer. */
class SilentReceiverTest {

    private static final RetryPolicy THREE_TIMES =
            new RetryPolicy(1, 1, Duration.ofSeconds(30), 3, Duration.ofMillis(1), 2, Duration.ofMillis(5), false);

    private final InMemoryBooks books = new InMemoryBooks();
    private final Logger log = (Logger) LoggerFactory.getLogger(OutboxDispatcher.class);
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>() {
        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel() == Level.WARN) {
                warnings.add(event.getFormattedMessage());
            }
        }
    };

    @BeforeEach
    void listen() {
        appender.start();
        log.addAppender(appender);
    }

    @AfterEach
    void leave() {
        log.detachAppender(appender);
    }

    @Test
    void theFirstFailureAndTheEndOfAMessageAreWarnings() {
        owe("a", 1);
        try (var dispatcher =
                new OutboxDispatcher(books, Kind.NOTICE, THREE_TIMES, message -> Answer.silent("status 500"))) {
            dispatcher.collect();
            Awaitility.await().until(() -> dispatcher.count(End.IN_VAIN) == 1);
            assertThat(warnings).hasSize(2);
            assertThat(warnings.get(0)).contains("id=a0", "not told yet", "status 500");
            assertThat(warnings.get(1)).contains("id=a0", "not told (IN_VAIN)", "called 3 times");

            owe("a", 5);
            dispatcher.collect();
            Awaitility.await().until(() -> dispatcher.count(End.IN_VAIN) == 6);
        }

        assertThat(warnings)
                .as("the first message, and the 1st, 2nd and 4th of five more")
                .filteredOn(text -> text.contains("yet"))
                .hasSize(4);
    }

    private void owe(String lane, int messages) {
        books.store(IntStream.range(0, messages)
                .mapToObj(i -> new Message(new MessageKey(Kind.NOTICE, lane + i, lane), "there", "hello", 0))
                .toList());
    }
}
