package org.metasched.adapter.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.JobStarter;
import org.metasched.adapter.LoadReporting;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.ReservationChange;
import org.metasched.adapter.RuntimeSupport;
import org.metasched.adapter.SettableClock;
import org.metasched.adapter.WindowListing;

/**
 * A site whose commands take their time, on a clock that is moved by it: three listings, each good for five seconds from its
 * start, and a command of its own for whatever changes something.
 */
final class SlowScheduler {

    private static final Duration SNAPSHOT = Duration.ofSeconds(5);
    private static final Set<String> ALREADY_KNOWN = Set.of("site", "previewWindow", "close");
    private static final Set<String> CHANGES = Set.of("reserve", "cancel", "change", "start");

    private final LocalScheduler inner;
    private final SettableClock clock;
    private final Duration delay;
    private final boolean isSharing;
    private final Instant[] looks = new Instant[3];
    private final LocalScheduler proxy;
    private long started;

    /** @param isSharing whether a listing serves all questions while it is good */
    SlowScheduler(LocalScheduler inner, SettableClock clock, Duration delay, boolean isSharing) {
        this.inner = inner;
        this.clock = clock;
        this.delay = delay;
        this.isSharing = isSharing;
        forget();
        var abilities = List.of(
                LocalScheduler.class,
                WindowListing.class,
                RuntimeSupport.class,
                LoadReporting.class,
                ReservationChange.class,
                JobStarter.class);
        proxy = (LocalScheduler) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                abilities.toArray(Class[]::new),
                (self, method, arguments) -> call(method, arguments));
    }

    LocalScheduler scheduler() {
        return proxy;
    }

    synchronized long started() {
        return started;
    }

    private Object call(Method method, Object[] arguments) throws Throwable {
        boolean isAbility = method.getParameterCount() == 0 && method.getReturnType() == Optional.class;
        if (!isAbility && !ALREADY_KNOWN.contains(method.getName())) {
            ask(CHANGES.contains(method.getName()));
        }
        try {
            Object answer = method.invoke(inner, arguments);
            return isAbility ? Optional.of(proxy) : answer;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private synchronized void ask(boolean changes) {
        if (changes) {
            command();
            forget();
        }
        for (int i = 0; i < looks.length; i++) {
            var now = clock.instant();
            if (!isSharing || Duration.between(looks[i], now).compareTo(SNAPSHOT) >= 0) {
                looks[i] = now;
                command();
            }
        }
    }

    private void forget() {
        Arrays.fill(looks, Instant.EPOCH);
    }

    private void command() {
        started++;
        clock.advance(delay);
    }
}
