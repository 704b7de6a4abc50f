package org.metasched.adapter.rest;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerFactory;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;

/** Opens sites that answer over HTTP and JSON, {@code scheduler: {type: http, url: ...}}. */
public final class RestSchedulerFactory implements LocalSchedulerFactory {

    @Override
    public String type() {
        return "http";
    }

    @Override
    public LocalScheduler open(SiteId site, Settings settings, Clock clock) {
        settings.allowOnly(Set.of("type", "url", "token-file", "look-ahead", "grid", "timeout"));
        var window = new PreviewWindow(
                settings.positiveDuration("look-ahead", Duration.ofDays(7)),
                settings.positiveDuration("grid", Duration.ofSeconds(1)));
        Duration timeout = settings.positiveDuration("timeout", Duration.ofSeconds(30));
        return new RestScheduler(new RestCalls(site, url(settings), token(settings), timeout), window);
    }

    private static URI url(Settings settings) {
        String text = settings.requiredText("url");
        try {
            URI url = URI.create(text.endsWith("/") ? text : text + "/");
            if (Set.of("http", "https").contains(String.valueOf(url.getScheme()))
                    && url.getHost() != null
                    && url.getUserInfo() == null
                    && url.getQuery() == null
                    && url.getFragment() == null) {
                return url;
            }
        } catch (IllegalArgumentException e) {
            throw settings.invalid("url", "expected an address, " + e.getMessage());
        }
        throw settings.invalid("url", "expected http://HOST[:PORT]/PATH or https, not (" + text + ")");
    }

    private static Optional<String> token(Settings settings) {
        Optional<String> file = settings.text("token-file");
        try {
            return file.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Files.readString(Path.of(file.get())).strip());
        } catch (IOException e) {
            throw settings.invalid("token-file", "the file (" + file.get() + ") cannot be read");
        }
    }
}
