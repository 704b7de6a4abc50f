package org.metasched.adapter.rest;

import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerFactory;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;

/** Opens sites that answer over HTTP and JSON, {@code scheduler: {type: http, url: ...}}. */
public final class RestSchedulerFactory implements LocalSchedulerFactory {

    private static final int LONGEST_ANSWER_BYTES = 4 << 20;

    @Override
    public String type() {
        return "http";
    }

    @Override
    public LocalScheduler open(SiteId site, Settings settings, Clock clock) {
        settings.allowOnly(Set.of("type", "url", "token-file", "look-ahead", "grid", "timeout"));
        var window = PreviewWindow.from(settings, Duration.ofSeconds(1));
        return new RestScheduler(new RestCalls(site, new RestAccess(settings, LONGEST_ANSWER_BYTES)), window);
    }
}
