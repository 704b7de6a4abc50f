package org.metasched.cli.install;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.HttpsURLConnection;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Forbidden;
import org.metasched.adapter.Need;
import org.metasched.adapter.Requester;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.Settings;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.cli.output.ErrorMessages;
import org.metasched.negotiation.StoreUnavailableException;
import org.metasched.server.ClientSettings;
import org.metasched.server.Configuration;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ConfiguredSites;
import org.metasched.trust.Authentication.Tls;
import org.metasched.trust.ChainVerifier;
import org.metasched.trust.ClientCredentials;
import org.metasched.trust.KeyMaterial;

/** Checks of a server's configuration against this machine and its sites. */
final class ConfigurationChecks {

    private static final int TIMEOUT_MILLIS = 10_000;
    /** The time before the end of a certificate from which it is to be renewed. */
    private static final Duration SOON = Duration.ofDays(30);
    /** The difference up to which clocks count as equal: HTTP's Date has whole seconds, and an answer takes time. */
    private static final long SAME_SECONDS = 3;

    /** The difference up to which clocks are doubtful, and not wrong. */
    private static final long TOLERABLE_SECONDS = 30;

    /** The free space below which a disk is scarce. */
    private static final long LEAST_MIB = 1024;

    private final YamlSettings settings;
    private final Configuration configuration;
    private final @Nullable Path file;
    private final boolean isTrial;
    private final Optional<Requester> person;
    private final Clock clock;
    private final List<Finding> findings = new ArrayList<>();

    /**
     * Result of one check.
     *
     * @param what name of the check
     * @param outcome {@code good}, {@code doubtful} or {@code wrong}
     * @param advice sentence on what to do; empty if all is well
     */
    record Finding(String what, String outcome, String detail, String advice) {}

    /**
     * @param trial subject that asks each site and for which a job is tried there; empty for no subject, null for no trial
     * @throws org.metasched.adapter.InvalidSettingException if the settings of the server are invalid
     */
    ConfigurationChecks(YamlSettings settings, @Nullable Path file, @Nullable String trial, Clock clock) {
        this.settings = settings;
        this.configuration = ConfigurationFile.from(settings);
        this.file = file;
        this.isTrial = trial != null;
        this.person = Optional.ofNullable(trial).filter(text -> !text.isBlank()).map(Requester::new);
        this.clock = clock;
    }

    /** @throws org.metasched.adapter.InvalidSettingException if the settings of a site are invalid */
    List<Finding> all() throws InterruptedException {
        add("Java", "good", Runtime.version() + ", " + (Runtime.getRuntime().maxMemory() >> 20) + " MiB", "");
        add("configuration", "good", file == null ? "the built-in one" : file.toString(), "");
        checkData(configuration.data().toAbsolutePath());
        var listener = configuration.listener();
        Optional<Tls> tls = listener.security().tls();
        tls.ifPresent(this::checkCertificate);
        listener.security().authorities().ifPresent(this::checkAuthorities);
        checkPort("port", "listen: and port:", listener.address(), tls.isPresent());
        listener.operators().ifPresent(address -> {
            boolean isSecure = tls.isPresent() && !address.getAddress().isLoopbackAddress();
            checkPort("operators", "operators:", address, isSecure);
        });
        checkDatabase();
        try (var sites = new ConfiguredSites(configuration, clock)) {
            checkSecrets();
            for (var scheduler : sites.bySite().values()) {
                if (answers("site " + scheduler.site(), scheduler)
                        && isTrial
                        && scheduler.jobStarter().isPresent()) {
                    findings.add(new JobTrial(scheduler, person, clock).run());
                }
            }
        }
        for (var site : configuration.sites()) {
            if (site.text("url").isPresent()) {
                checkClock(site);
            }
        }
        return findings;
    }

    private void add(String what, String outcome, String detail, String advice) {
        findings.add(new Finding(what, outcome, detail.replace('\n', ' '), advice));
    }

    private void checkData(Path folder) {
        var place = folder.toFile();
        while (!place.exists() && place.getParentFile() != null) {
            place = place.getParentFile();
        }
        if (place.isDirectory() && place.canWrite()) {
            findings.add(space(folder, place.getTotalSpace(), place.getUsableSpace()));
        } else {
            add(
                    "data folder",
                    "wrong",
                    place + " is no folder that this account may write",
                    "Mend its rights, or data:.");
        }
    }

    /** @param total size of the file system; 0 if it does not count what is free */
    static Finding space(Path folder, long total, long free) {
        boolean isScarce = total > 0 && free >> 20 < LEAST_MIB;
        String detail = folder + (total > 0 ? ", " + (free >> 20) + " MiB free" : ", free space unknown");
        String advice = isScarce ? "A full disk stops the server." : "";
        return new Finding("data folder", isScarce ? "doubtful" : "good", detail, advice);
    }

    /** Checks all files of secrets that the server and its sites have read, and the configuration if it has a password itself. */
    private void checkSecrets() {
        settings.secretFiles().forEach(this::checkSecret);
        if (file != null
                && settings.section("database")
                        .flatMap(section -> section.text("password"))
                        .isPresent()) {
            checkSecret(file);
        }
    }

    /** Checks that others may not read a secret, where the file system has such rights. A group may: it can be that of the server. */
    private void checkSecret(Path secret) {
        try {
            if (Files.getPosixFilePermissions(secret).contains(PosixFilePermission.OTHERS_READ)) {
                add("rights", "wrong", secret + " is a secret that all may read", "chmod o-rwx " + secret);
            }
        } catch (IOException | UnsupportedOperationException e) {
            add("rights", "doubtful", secret + ": " + ErrorMessages.of(e), "");
        }
    }

    private void checkCertificate(Tls tls) {
        try {
            Instant until = KeyMaterial.of(tls).get().chain()[0].getNotAfter().toInstant();
            boolean soon = clock.instant().plus(SOON).isAfter(until);
            add("certificate", soon ? "doubtful" : "good", "valid until " + until, soon ? "Get a new one." : "");
        } catch (IllegalArgumentException e) {
            String advice = "It must be valid, and PEM with the own certificate first, or a PKCS#12 store.";
            add("certificate", "wrong", ErrorMessages.of(e), advice);
        }
    }

    /** Checks an IGTF directory, as the server reads it. */
    private void checkAuthorities(Path folder) {
        try (var verifier = new ChainVerifier(folder)) {
            var issuers = verifier.trustManager().getAcceptedIssuers();
            String expired = Stream.of(issuers)
                    .filter(issuer ->
                            clock.instant().isAfter(issuer.getNotAfter().toInstant()))
                    .map(issuer -> issuer.getSubjectX500Principal() + " at "
                            + issuer.getNotAfter().toInstant())
                    .collect(Collectors.joining(", "));
            boolean isGood = issuers.length > 0 && expired.isEmpty();
            String detail =
                    folder + ", authorities: " + issuers.length + (expired.isEmpty() ? "" : ", expired: " + expired);
            String advice = isGood ? "" : "Its valid files are needed, with names that openssl rehash makes.";
            add("authorities", isGood ? "good" : issuers.length > 0 ? "doubtful" : "wrong", detail, advice);
        }
    }

    /** @param keys where the address stands in the configuration */
    private void checkPort(String what, String keys, InetSocketAddress address, boolean isSecure) {
        String host = address.getAddress().getHostAddress();
        String where = (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
        try (var free = new ServerSocket(address.getPort(), 1, address.getAddress())) {
            add(what, "good", where + " is free", "");
        } catch (IOException e) {
            String problem = where + ": " + ErrorMessages.of(e);
            if (!isListening(address)) {
                add(what, "wrong", problem, "Set " + keys + ", or give the right to the port.");
            } else if (isServer(URI.create((isSecure ? "https://" : "http://") + where + "/health"))) {
                add(what, "good", "the server answers at " + where, "");
            } else {
                String advice = "End what listens there unless it is the server, or set " + keys + ".";
                add(what, isSecure ? "doubtful" : "wrong", problem, advice);
            }
        }
    }

    private static boolean isListening(InetSocketAddress address) {
        try (var caller = new Socket()) {
            caller.connect(address, TIMEOUT_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Signs in to PostgreSQL; the embedded database is made at the first start. */
    private void checkDatabase() {
        try {
            add("database", "good", configuration.database().signIn().orElse("the embedded one"), "");
        } catch (StoreUnavailableException e) {
            add("database", "wrong", ErrorMessages.of(e), "Start it, or mend database:.");
        }
    }

    /** Checks a site; returns whether it gave an answer. */
    private boolean answers(String what, LocalScheduler scheduler) {
        var request = new ResourceRequest(new Need.Nodes(1), Duration.ofHours(1), person);
        try {
            var start = scheduler.earliestStart(request, clock.instant());
            if (start.isEmpty()) {
                add(what, "doubtful", "answers, but has no node for an hour", "Maybe it is full.");
            } else {
                String programs = scheduler.jobStarter().isPresent() ? "" : "; runs no programs: see programs:";
                var from = start.get().truncatedTo(ChronoUnit.SECONDS);
                add(what, "good", "one node is free for an hour from " + from + programs, "");
            }
        } catch (LocalSchedulerException e) {
            if (e instanceof Forbidden && person.isEmpty()) {
                add(what, "good", "answers: " + ErrorMessages.of(e), "To ask as a user of the site: --try SUBJECT.");
            } else {
                add(what, "wrong", ErrorMessages.of(e), "metasched adapter check --config says more, rule by rule.");
            }
            return !e.isUnanswered();
        }
        return true;
    }

    private void checkClock(Settings site) {
        String what = "clock of " + site.requiredText("site");
        var address = URI.create(site.requiredText("url"));
        long asked = clock.millis();
        long there = 0;
        try {
            there = open(address, ClientSettings.read(site).orElse(configuration.client()))
                    .getDate();
        } catch (IOException e) {
            // said below, as for an answer without a date
        }
        if (there == 0) {
            String advice = "Does the adapter run there, with a certificate of an authority that is known here?";
            add(what, "doubtful", address + " does not tell the time", advice);
            return;
        }
        long apart = Math.abs((asked + clock.millis()) / 2 - there) / 1000;
        boolean same = apart <= SAME_SECONDS;
        String outcome = same ? "good" : apart <= TOLERABLE_SECONDS ? "doubtful" : "wrong";
        add(what, outcome, apart + " s apart", same ? "" : "Run chrony or ntpd on both machines.");
    }

    /** Whether an address answers with the keys of the health of a metasched server. */
    private boolean isServer(URI address) {
        try (var in = open(address, configuration.client()).getInputStream()) {
            String answer = new String(in.readNBytes(1 << 16), StandardCharsets.UTF_8);
            return answer.startsWith("{")
                    && Stream.of("status", "database", "offersUnderWay", "clockOffsetSeconds")
                            .allMatch(key -> answer.contains("\"" + key + "\""));
        } catch (IOException e) {
            return false;
        }
    }

    private static URLConnection open(URI address, ClientCredentials client) throws IOException {
        var connection = (HttpURLConnection) address.toURL().openConnection();
        connection.setInstanceFollowRedirects(false);
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        if (connection instanceof HttpsURLConnection secure) {
            client.tls().ifPresent(tls -> secure.setSSLSocketFactory(tls.getSocketFactory()));
        }
        return connection;
    }
}
