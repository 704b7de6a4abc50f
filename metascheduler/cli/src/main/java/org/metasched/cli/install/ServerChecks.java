package org.metasched.cli.install;

import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.Settings;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.output.Sentence;
import org.metasched.server.Configuration;
import org.metasched.server.ConfiguredSites;
import org.metasched.store.DatabaseProbe;

/** What a server of this configuration would meet: its port, database, certificates, and sites. */
final class ServerChecks {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration SOON = Duration.ofDays(30);
    /** The Date of HTTP has whole seconds, and an answer takes its time. */
    private static final Duration SAME_TIME = Duration.ofSeconds(3);

    private static final Duration TOLERABLE = Duration.ofSeconds(30);

    private final Configuration configuration;
    private final Clock clock;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();

    ServerChecks(Configuration configuration, Clock clock) {
        this.configuration = configuration;
        this.clock = clock;
    }

    Finding port() throws InterruptedException {
        var address = configuration.listener().address();
        String where = address.getHostString() + ":" + address.getPort();
        try (var free = new ServerSocket(address.getPort(), 1, address.getAddress())) {
            return Finding.good(
                    "port", where + " is free" + (free.getLocalPort() == address.getPort() ? "" : " (any port)"));
        } catch (BindException e) {
            if (configuration.listener().security().tls().isPresent()) {
                return Finding.doubtful("port", where + " is in use", "That is as it should be if the server runs.");
            }
            boolean ours = get(URI.create("http://" + where + "/health"))
                    .filter(health -> health.body().contains("status"))
                    .isPresent();
            return ours
                    ? Finding.good("port", "a server runs at " + where)
                    : Finding.wrong(
                            "port",
                            where + ": " + Sentence.of(e),
                            "End what listens there, or set port: in the configuration.");
        } catch (IOException e) {
            return Finding.wrong("port", where + ": " + Sentence.of(e), "Set listen: and port: in the configuration.");
        }
    }

    Finding database() {
        var probe = DatabaseProbe.of(configuration.database());
        return probe.trouble()
                .map(why -> Finding.wrong(
                        "database",
                        probe.detail() + ": " + OutputOptions.plain(why),
                        "See database: in docs/operations.md."))
                .orElseGet(() -> Finding.good("database", probe.detail()));
    }

    List<Finding> certificates() {
        return configuration.listener().security().tls().stream()
                .map(tls -> {
                    try (InputStream in = Files.newInputStream(tls.certificate())) {
                        var own = (X509Certificate)
                                CertificateFactory.getInstance("X.509").generateCertificate(in);
                        return lifetime(
                                own.getNotBefore().toInstant(),
                                own.getNotAfter().toInstant());
                    } catch (IOException | CertificateException e) {
                        return Finding.wrong(
                                "certificate",
                                tls.certificate() + ": " + Sentence.of(e),
                                "It must be PEM, the own certificate first.");
                    }
                })
                .toList();
    }

    private Finding lifetime(Instant from, Instant until) {
        String detail = "valid from " + from + " until " + until;
        Instant now = clock.instant();
        if (now.isBefore(from) || now.isAfter(until)) {
            return Finding.wrong("certificate", detail, "Get a new one; the server reads it again when it changes.");
        }
        return now.plus(SOON).isAfter(until)
                ? Finding.doubtful("certificate", detail, "Get a new one soon.")
                : Finding.good("certificate", detail);
    }

    List<Finding> sites() throws InterruptedException {
        List<Finding> findings = new ArrayList<>();
        try (var sites = ConfiguredSites.open(configuration, clock)) {
            for (var id : sites.sites()) {
                findings.add(site("site " + id, sites.find(id).orElseThrow()));
            }
        } catch (InvalidSettingException e) {
            findings.add(Finding.wrong(
                    "sites", String.valueOf(e.getMessage()), "Mend it there; docs/adapters has the settings."));
        }
        for (Settings site : configuration.sites()) {
            var url = site.text("url");
            if (url.isPresent()) {
                findings.add(clockOf("clock of " + site.text("site").orElse("?"), url.get()));
            }
        }
        return findings;
    }

    private Finding site(String what, LocalScheduler scheduler) {
        try {
            var start = scheduler.earliestStart(ResourceRequest.nodes(1, Duration.ofHours(1)), clock.instant());
            return start.map(from -> Finding.good(what, "one node is free for an hour from " + from))
                    .orElseGet(() -> Finding.doubtful(
                            what,
                            "answers, but has no node for an hour in its look-ahead",
                            "Maybe it is full, or the partition is wrong."));
        } catch (LocalSchedulerException e) {
            return Finding.wrong(what, Sentence.of(e), "metasched adapter check --config says more, rule by rule.");
        }
    }

    private Finding clockOf(String what, String url) throws InterruptedException {
        Instant asked = clock.instant();
        var there = get(URI.create(url))
                .flatMap(answer -> answer.headers().firstValue("Date"))
                .flatMap(ServerChecks::date);
        if (there.isEmpty()) {
            return Finding.doubtful(
                    what, url + " does not tell the time", "Is the adapter running, and reachable from here?");
        }
        Duration apart = Duration.between(asked, there.get()).abs();
        String detail = apart.toSeconds() + " s apart";
        if (apart.compareTo(SAME_TIME) <= 0) {
            return Finding.good(what, "as ours, to the second");
        }
        return apart.compareTo(TOLERABLE) <= 0
                ? Finding.doubtful(what, detail, "Starts differ by as much; run chrony or ntpd on both machines.")
                : Finding.wrong(what, detail, "Common starts cannot be kept; run chrony or ntpd on both machines.");
    }

    private static Optional<Instant> date(String header) {
        try {
            return Optional.of(ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private Optional<HttpResponse<String>> get(URI address) throws InterruptedException {
        try {
            return Optional.of(
                    http.send(HttpRequest.newBuilder(address).timeout(PATIENCE).build(), BodyHandlers.ofString()));
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
