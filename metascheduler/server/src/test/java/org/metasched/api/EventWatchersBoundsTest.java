package org.metasched.api;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.metasched.api.EventWatchers.Cursor;
import org.metasched.api.EventWatchers.Page;

/** What many watchers, and those that are gone, cost the others. */
class EventWatchersBoundsTest {

    private final EventWatchers watchers = new EventWatchers();
    private final AtomicInteger answered = new AtomicInteger();

    @Test
    void aWatcherThatIsGoneDoesNotKeepTheOthersWaiting() {
        assertThat(watchers.hold(request(true), 7)).isTrue();
        assertThat(watchers.hold(request(false), 7)).isTrue();

        watchers.poll(() -> 8);

        assertThat(answered).hasValue(1);
        watchers.poll(() -> 9);
        assertThat(answered).as("nor is one asked twice").hasValue(1);
    }

    @Test
    void oneMoreThanTheMostIsAnsweredAtOnceAndPlacesComeBack() {
        for (int i = 0; i < EventWatchers.MOST_WAITING; i++) {
            assertThat(watchers.hold(request(false), 7)).isTrue();
        }
        assertThat(watchers.hold(request(false), 7)).isFalse();

        watchers.poll(() -> 8);

        assertThat(answered).hasValue(EventWatchers.MOST_WAITING);
        assertThat(watchers.hold(request(false), 8)).isTrue();
    }

    @Test
    void whatManyAskForIsReadOnceBetweenTwoPolls() {
        var reads = new AtomicInteger();
        var cursor = new Cursor(Optional.empty(), 7);
        for (int poll = 1; poll <= 2; poll++) {
            IntStream.range(0, 1000)
                    .parallel()
                    .forEach(i -> watchers.page(cursor, asked -> {
                        reads.incrementAndGet();
                        return new Page(asked.after(), List.of(), Map.of());
                    }));
            assertThat(reads).hasValue(poll);
            watchers.poll(() -> 8);
        }
    }

    private HttpServletRequest request(boolean isGone) {
        var context = (AsyncContext) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {AsyncContext.class}, (self, method, values) -> {
                    if (method.getName().equals("dispatch")) {
                        if (isGone) {
                            throw new IllegalStateException("The connection is closed.");
                        }
                        answered.incrementAndGet();
                    }
                    return null;
                });
        return (HttpServletRequest) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (self, method, values) -> switch (method.getName()) {
                    case "getMethod" -> "GET";
                    case "getAttribute", "setAttribute" -> null;
                    default -> context;
                });
    }
}
