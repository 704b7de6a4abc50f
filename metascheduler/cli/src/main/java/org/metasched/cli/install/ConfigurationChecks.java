package org.metasched.cli.install;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.ResourceRequest;
import org.metasched.cli.output.ErrorMessages;
import org.metasched.server.Configuration;
import org.metasched.server.ConfiguredSites;

/** Checks of a server's configuration against this machine and its sites. */
final class ConfigurationChecks {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration SOON = Duration.ofDays(30);
    /** The Date of HTTP has whole seconds, and an answer takes its time. */
    private static final long SAME_SECONDS = 3;

    private static final long TOLERABLE_SECONDS = 30;
    private static final long LEAST_MIB = 1024;

    private final Configuration configuration;
    private final @Nullable Path file;
    private final @Nullable String trial;
    private final Clock clock;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final List<Finding> findings = new ArrayList<>();

    /**
     * Result of one check.
     *
     * @param outcome good, doubtful or wrong
     * @param advice  what to do; empty where all is well
     */
    record Finding(String what, String outcome, String detail, String advice) {}

    /** Counts what is free where a path is. */
    interface FreeSpace {
        long bytes(Path place) throws IOException;
    }

    /** @param trial subject for which a job is tried at each site, or an empty text; null to try none */
    ConfigurationChecks(Configuration configuration, @Nullable Path file, @Nullable String trial, Clock clock) {
        this.configuration = configuration;
        this.file = file;
        this.trial = trial;
        this.clock = clock;
    }

    /** @throws org.metasched.adapter.InvalidSettingException when a site's settings are none */
    List<Finding> all() throws InterruptedException {
        found("Java", "good", Runtime.version() + ", " + (Runtime.getRuntime().maxMemory() >> 20) + " MiB", "");
        found("configuration", "good", file == null ? "the built-in one" : file.toString(), "");
        findings.add(data(
                configuration.data().toAbsolutePath(),
                place -> Files.getFileStore(place).getUsableSpace()));
        if (file != null && !configuration.database().password().isEmpty()) {
            secret(file);
        }
        configuration.listener().security().tls().ifPresent(tls -> {
            secret(tls.key());
            certificate(tls.certificate());
        });
        port();
        database();
        try (var sites = ConfiguredSites.open(configuration, clock)) {
            for (var id : sites.sites()) {
                var scheduler = sites.find(id).orElseThrow();
                site("site " + id, scheduler);
                if (trial != null && scheduler.jobStarter().isPresent()) {
                    findings.add(new JobTrial(scheduler, trial, clock).run());
                }
            }
        }
        for (var site : configuration.sites()) {
            if (site.text("url").isPresent()) {
                clockOf("clock of " + site.requiredText("site"), URI.create(site.requiredText("url")));
            }
        }
        return findings;
    }

    private void found(String what, String outcome, String detail, String advice) {
        findings.add(new Finding(what, outcome, detail.replace('\n', ' '), advice));
    }

    static Finding data(Path folder, FreeSpace space) {
        Path place = folder;
        while (!Files.exists(place) && place.getParent() != null) {
            place = place.getParent();
        }
        if (!Files.isDirectory(place) || !Files.isWritable(place)) {
            return new Finding(
                    "data folder", "wrong", place + " is no folder that we may write", "Mend its rights, or data:.");
        }
        try {
            long free = space.bytes(place) >> 20;
            boolean scarce = free < LEAST_MIB;
            String advice = scarce ? "A full disk stops the server." : "";
            return new Finding("data folder", scarce ? "doubtful" : "good", folder + ", " + free + " MiB free", advice);
        } catch (IOException e) {
            // In a chroot the root need not be a mount point, and not every file system counts what is free.
            return new Finding("data folder", "good", folder + ", free space unknown", "");
        }
    }

    /** File systems without such rights are passed over. */
    private void secret(Path secret) {
        try {
            if (Files.getPosixFilePermissions(secret).contains(PosixFilePermission.OTHERS_READ)) {
                found("rights", "wrong", secret + " is a secret that all may read", "chmod o-rwx " + secret);
            }
        } catch (IOException | UnsupportedOperationException e) {
            found("rights", "doubtful", secret + ": " + ErrorMessages.of(e), "");
        }
    }

    private void certificate(Path path) {
        try (var in = Files.newInputStream(path)) {
            var own = (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
            Instant until = own.getNotAfter().toInstant();
            boolean over = clock.instant().isAfter(until);
            boolean soon = clock.instant().plus(SOON).isAfter(until);
            String outcome = over ? "wrong" : soon ? "doubtful" : "good";
            found("certificate", outcome, "valid until " + until, soon ? "Get a new one." : "");
        } catch (IOException | CertificateException e) {
            found("certificate", "wrong", path + ": " + ErrorMessages.of(e), "It must be PEM, the own one first.");
        }
    }

    private void port() throws InterruptedException {
        var address = configuration.listener().address();
        String where = address.getHostString() + ":" + address.getPort();
        try (var free = new ServerSocket(address.getPort(), 1, address.getAddress())) {
            found("port", "good", where + " is free", "");
        } catch (IOException e) {
            boolean tls = configuration.listener().security().tls().isPresent();
            var there = URI.create((tls ? "https://" : "http://") + where + "/health");
            boolean ours = get(there).filter(ConfigurationChecks::isServer).isPresent();
            String advice = ours ? "" : "End what listens there unless it is the server, or set listen: and port:.";
            String detail = ours ? "the server answers at " + where : where + ": " + ErrorMessages.of(e);
            found("port", ours ? "good" : tls ? "doubtful" : "wrong", detail, advice);
            if (ours) {
                clockOf("clock of the server", there);
            }
        }
    }

    /** The embedded one is made at the first start; of another one it is seen whether anything listens there. */
    private void database() {
        String url = configuration.database().url();
        if (!url.startsWith("jdbc:postgresql://")) {
            found("database", "good", "the embedded one", "");
            return;
        }
        var at = URI.create(url.substring("jdbc:".length()));
        try (var socket = new Socket(at.getHost(), at.getPort() < 0 ? 5432 : at.getPort())) {
            found("database", "good", "PostgreSQL listens at " + socket.getRemoteSocketAddress(), "");
        } catch (IOException e) {
            found(
                    "database",
                    "wrong",
                    configuration.database() + ": " + ErrorMessages.of(e),
                    "Start it, or mend database:.");
        }
    }

    private void site(String what, LocalScheduler scheduler) {
        try {
            var start = scheduler.earliestStart(ResourceRequest.nodes(1, Duration.ofHours(1)), clock.instant());
            start.ifPresentOrElse(
                    from -> found(
                            what,
                            "good",
                            "one node is free for an hour from " + from.truncatedTo(ChronoUnit.SECONDS)
                                    + (scheduler.jobStarter().isPresent() ? "" : "; runs no programs: see programs:"),
                            ""),
                    () -> found(what, "doubtful", "answers, but has no node for an hour", "Maybe it is full."));
        } catch (LocalSchedulerException e) {
            found(what, "wrong", ErrorMessages.of(e), "metasched adapter check --config says more, rule by rule.");
        }
    }

    private void clockOf(String what, URI address) throws InterruptedException {
        Instant asked = clock.instant();
        var there = get(address)
                .flatMap(answer -> answer.headers().firstValue("Date"))
                .flatMap(ConfigurationChecks::date);
        if (there.isEmpty()) {
            found(what, "doubtful", address + " does not tell the time", "Does the adapter run there?");
            return;
        }
        long apart = Math.abs(Duration.between(asked, there.get()).toSeconds());
        boolean same = apart <= SAME_SECONDS;
        String outcome = same ? "good" : apart <= TOLERABLE_SECONDS ? "doubtful" : "wrong";
        found(what, outcome, apart + " s apart", same ? "" : "Run chrony or ntpd on both machines.");
    }

    private static Optional<Instant> date(String header) {
        try {
            return Optional.of(ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Whether the answer has what only a server of metasched says of its health. */
    private static boolean isServer(HttpResponse<String> answer) {
        return answer.body().startsWith("{")
                && Stream.of("status", "database", "offersUnderWay", "clockOffsetSeconds")
                        .allMatch(key -> answer.body().contains("\"" + key + "\""));
    }

    private Optional<HttpResponse<String>> get(URI address) throws InterruptedException {
        try {
            var request = HttpRequest.newBuilder(address).timeout(PATIENCE).build();
            return Optional.of(http.send(request, BodyHandlers.ofString()));
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
