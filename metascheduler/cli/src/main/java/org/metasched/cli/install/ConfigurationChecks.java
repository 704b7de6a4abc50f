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
    /** The difference up to which clocks count as equal: HTTP's Date has whole seconds, and an answer takes time. */
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
     * @param what name of the check
     * @param outcome {@code good}, {@code doubtful} or {@code wrong}
     * @param advice sentence on what to do; empty if all is well
     */
    record Finding(String what, String outcome, String detail, String advice) {}

    /** Counts the free bytes at a path. */
    interface FreeSpace {
        long bytes(Path place) throws IOException;
    }

    /** @param trial subject for which a job is tried at each site; empty for no subject, null for no trial */
    ConfigurationChecks(Configuration configuration, @Nullable Path file, @Nullable String trial, Clock clock) {
        this.configuration = configuration;
        this.file = file;
        this.trial = trial;
        this.clock = clock;
    }

    /** @throws org.metasched.adapter.InvalidSettingException if the settings of a site are invalid */
    List<Finding> all() throws InterruptedException {
        add("Java", "good", Runtime.version() + ", " + (Runtime.getRuntime().maxMemory() >> 20) + " MiB", "");
        add("configuration", "good", file == null ? "the built-in one" : file.toString(), "");
        findings.add(data(
                configuration.data().toAbsolutePath(),
                place -> Files.getFileStore(place).getUsableSpace()));
        if (file != null && !configuration.database().password().isEmpty()) {
            checkSecret(file);
        }
        configuration.listener().security().tls().ifPresent(tls -> {
            checkSecret(tls.key());
            checkCertificate(tls.certificate());
        });
        checkPort();
        checkDatabase();
        try (var sites = ConfiguredSites.open(configuration, clock)) {
            for (var id : sites.sites()) {
                var scheduler = sites.find(id).orElseThrow();
                checkSite("site " + id, scheduler);
                if (trial != null && scheduler.jobStarter().isPresent()) {
                    findings.add(new JobTrial(scheduler, trial, clock).run());
                }
            }
        }
        for (var site : configuration.sites()) {
            if (site.text("url").isPresent()) {
                checkClock("clock of " + site.requiredText("site"), URI.create(site.requiredText("url")));
            }
        }
        return findings;
    }

    private void add(String what, String outcome, String detail, String advice) {
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

    /** Checks that others may not read a secret, where the file system has such rights. */
    private void checkSecret(Path secret) {
        try {
            if (Files.getPosixFilePermissions(secret).contains(PosixFilePermission.OTHERS_READ)) {
                add("rights", "wrong", secret + " is a secret that all may read", "chmod o-rwx " + secret);
            }
        } catch (IOException | UnsupportedOperationException e) {
            add("rights", "doubtful", secret + ": " + ErrorMessages.of(e), "");
        }
    }

    private void checkCertificate(Path path) {
        try (var in = Files.newInputStream(path)) {
            var own = (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
            Instant until = own.getNotAfter().toInstant();
            boolean over = clock.instant().isAfter(until);
            boolean soon = clock.instant().plus(SOON).isAfter(until);
            String outcome = over ? "wrong" : soon ? "doubtful" : "good";
            add("certificate", outcome, "valid until " + until, soon ? "Get a new one." : "");
        } catch (IOException | CertificateException e) {
            add("certificate", "wrong", path + ": " + ErrorMessages.of(e), "It must be PEM, the own one first.");
        }
    }

    private void checkPort() throws InterruptedException {
        var address = configuration.listener().address();
        String where = address.getHostString() + ":" + address.getPort();
        try (var free = new ServerSocket(address.getPort(), 1, address.getAddress())) {
            add("port", "good", where + " is free", "");
        } catch (IOException e) {
            boolean tls = configuration.listener().security().tls().isPresent();
            var there = URI.create((tls ? "https://" : "http://") + where + "/health");
            boolean ours = get(there).filter(ConfigurationChecks::isServer).isPresent();
            String advice = ours ? "" : "End what listens there unless it is the server, or set listen: and port:.";
            String detail = ours ? "the server answers at " + where : where + ": " + ErrorMessages.of(e);
            add("port", ours ? "good" : tls ? "doubtful" : "wrong", detail, advice);
            if (ours) {
                checkClock("clock of the server", there);
            }
        }
    }

    /** Checks that something listens at PostgreSQL's address; the embedded database is made at the first start. */
    private void checkDatabase() {
        String url = configuration.database().url();
        if (!url.startsWith("jdbc:postgresql://")) {
            add("database", "good", "the embedded one", "");
            return;
        }
        var at = URI.create(url.substring("jdbc:".length()));
        try (var socket = new Socket(at.getHost(), at.getPort() < 0 ? 5432 : at.getPort())) {
            add("database", "good", "PostgreSQL listens at " + socket.getRemoteSocketAddress(), "");
        } catch (IOException e) {
            add(
                    "database",
                    "wrong",
                    configuration.database() + ": " + ErrorMessages.of(e),
                    "Start it, or mend database:.");
        }
    }

    private void checkSite(String what, LocalScheduler scheduler) {
        try {
            var start = scheduler.earliestStart(ResourceRequest.nodes(1, Duration.ofHours(1)), clock.instant());
            start.ifPresentOrElse(
                    from -> add(
                            what,
                            "good",
                            "one node is free for an hour from " + from.truncatedTo(ChronoUnit.SECONDS)
                                    + (scheduler.jobStarter().isPresent() ? "" : "; runs no programs: see programs:"),
                            ""),
                    () -> add(what, "doubtful", "answers, but has no node for an hour", "Maybe it is full."));
        } catch (LocalSchedulerException e) {
            add(what, "wrong", ErrorMessages.of(e), "metasched adapter check --config says more, rule by rule.");
        }
    }

    private void checkClock(String what, URI address) throws InterruptedException {
        Instant asked = clock.instant();
        var there = get(address)
                .flatMap(answer -> answer.headers().firstValue("Date"))
                .flatMap(ConfigurationChecks::date);
        if (there.isEmpty()) {
            add(what, "doubtful", address + " does not tell the time", "Does the adapter run there?");
            return;
        }
        long apart = Math.abs(Duration.between(asked, there.get()).toSeconds());
        boolean same = apart <= SAME_SECONDS;
        String outcome = same ? "good" : apart <= TOLERABLE_SECONDS ? "doubtful" : "wrong";
        add(what, outcome, apart + " s apart", same ? "" : "Run chrony or ntpd on both machines.");
    }

    private static Optional<Instant> date(String header) {
        try {
            return Optional.of(ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Whether the answer has the keys of the health of a metasched server. */
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
