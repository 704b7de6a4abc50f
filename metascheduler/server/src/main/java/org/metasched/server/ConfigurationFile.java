package org.metasched.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.agreement.OnDegraded;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.cycle.PoolRules;
import org.metasched.classad.cycle.SharePolicy;
import org.metasched.dag.binding.RebindPolicy;
import org.metasched.negotiation.NegotiationBudget;
import org.metasched.negotiation.SearchStrategy;
import org.metasched.notice.MailSender;
import org.metasched.server.Configuration.Additions;
import org.metasched.server.Configuration.Intervals;
import org.metasched.server.Configuration.Matchmaking;
import org.metasched.server.Configuration.Negotiation;
import org.metasched.server.Configuration.Rebinds;
import org.metasched.store.DatabaseSettings;
import org.metasched.trust.ClientCredentials;

/**
 * Reads a server's {@code config.yaml}. Every mistake is an {@link org.metasched.adapter.InvalidSettingException} that begins
 * with {@code file:line:column}; an unknown key names the nearest known one.
 */
public final class ConfigurationFile {

    private static final Set<String> KEYS = Set.of(
            "grid",
            "listen",
            "port",
            "operators",
            "public-url",
            "allowed-hosts",
            "cors",
            "trusted-proxies",
            "outbound",
            "security",
            "client",
            "mail",
            "data",
            "database",
            "adapters",
            "sites",
            "negotiation",
            "matchmaking",
            "monitor",
            "sweeper",
            "keep-ended",
            "drain",
            "templates");

    private ConfigurationFile() {}

    public static Configuration read(Path file) {
        return from(YamlSettings.read(file), Optional.of(file));
    }

    /** Configuration of a server without a file: simulated sites and an embedded database. */
    public static Configuration usual() {
        try (InputStream text = Objects.requireNonNull(ConfigurationFile.class.getResourceAsStream("default.yaml"))) {
            return from(YamlSettings.parse("default.yaml", new String(text.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new IllegalStateException("The built-in configuration cannot be read.", e);
        }
    }

    /** @param file the outermost mapping */
    public static Configuration from(Settings file) {
        return from(file, Optional.empty());
    }

    private static Configuration from(Settings file, Optional<Path> followed) {
        file.allowOnly(KEYS);
        var sites = file.sections("sites");
        if (sites.isEmpty()) {
            throw file.invalid("sites", "a list of at least one site is missing here");
        }
        return new Configuration(
                grid(file),
                ListenerSettings.read(file),
                ClientSettings.read(file).orElse(ClientCredentials.ANONYMOUS),
                file.section("mail").map(ConfigurationFile::mail),
                data(file),
                database(file),
                new Additions(
                        file.text("adapters").map(Path::of),
                        file.text("templates").map(Path::of),
                        followed),
                sites,
                negotiation(file),
                matchmaking(file),
                intervals(file),
                file.positiveDuration("drain", Duration.ofSeconds(20)));
    }

    private static MailSender.Settings mail(Settings section) {
        section.allowOnly(Set.of("server", "from", "domains", "tls", "user", "password-file"));
        String[] server = section.requiredText("server").split(":", 2);
        if (server.length < 2 || !server[1].matches("[1-9]\\d{0,4}")) {
            throw section.invalid("server", "expected HOST:PORT, such as smtp.example.org:587");
        }
        try {
            return new MailSender.Settings(
                    InetSocketAddress.createUnresolved(server[0], Integer.parseInt(server[1])),
                    section.requiredText("from"),
                    section.texts("domains"),
                    section.flag("tls").orElse(true),
                    section.text("user"),
                    section.text("password-file").map(Path::of));
        } catch (IllegalArgumentException e) {
            throw section.invalid("from", String.valueOf(e.getMessage()));
        }
    }

    private static Optional<SiteId> grid(Settings file) {
        try {
            return file.text("grid").map(SiteId::new);
        } catch (IllegalArgumentException e) {
            throw file.invalid("grid", String.valueOf(e.getMessage()));
        }
    }

    private static OnDegraded onDegraded(Settings monitor) {
        String policy = monitor.text("degraded").orElse("tell");
        return OnDegraded.of(policy)
                .orElseThrow(() -> monitor.invalid(
                        "degraded", "expected tell, end, replace or renegotiate, not (" + policy + ")"));
    }

    private static Path data(Settings file) {
        return file.text("data")
                .map(Path::of)
                .orElse(Path.of(System.getProperty("user.home"), ".metasched"))
                .toAbsolutePath();
    }

    private static Matchmaking matchmaking(Settings file) {
        var outbound = ListenerSettings.read(file).outbound();
        var usual = new Matchmaking(
                Duration.ofMinutes(1),
                Duration.ofMinutes(1),
                Duration.ofDays(1),
                Optional.of(outbound),
                Optional.empty(),
                SharePolicy.USUAL,
                PoolRules.USUAL);
        return file.section("matchmaking")
                .map(section -> {
                    section.allowOnly(Set.of(
                            "cycle-every",
                            "advertise-every",
                            "usage-half-life",
                            "notify",
                            "notify-hosts",
                            "rebind",
                            "groups",
                            "concurrency-limits",
                            "preemption-requirements",
                            "rank-preemption-requirements"));
                    var contacts = section.texts("notify-hosts").isEmpty()
                            ? outbound
                            : outbound.withHosts(section.texts("notify-hosts"));
                    return new Matchmaking(
                            section.positiveDuration("cycle-every", usual.cycleEvery()),
                            section.positiveDuration("advertise-every", usual.advertiseEvery()),
                            section.positiveDuration("usage-half-life", usual.usageHalfLife()),
                            section.flag("notify").orElse(true) ? Optional.of(contacts) : Optional.empty(),
                            section.section("rebind").map(ConfigurationFile::rebinds),
                            shares(section),
                            rules(section));
                })
                .orElse(usual);
    }

    private static SharePolicy shares(Settings section) {
        var usual = SharePolicy.USUAL;
        try {
            return new SharePolicy(
                    usual.considersPreemption(),
                    usual.releasesAtOnce(),
                    usual.ignoresPriorities(),
                    usual.oversubscribes(),
                    usual.strict(),
                    usual.rounds(),
                    section.sections("groups").stream()
                            .map(ConfigurationFile::group)
                            .toList());
        } catch (IllegalArgumentException e) {
            throw section.invalid("groups", String.valueOf(e.getMessage()));
        }
    }

    private static SharePolicy.Group group(Settings group) {
        group.allowOnly(Set.of("name", "quota", "share", "accept-surplus", "autoregroup"));
        boolean isStatic = group.text("quota").isPresent();
        if (isStatic && group.text("share").isPresent()) {
            throw group.invalid("share", "a group has a quota or a share, not both");
        }
        return new SharePolicy.Group(
                group.requiredText("name"),
                amount(group, isStatic ? "quota" : "share"),
                isStatic,
                group.flag("accept-surplus").orElse(false),
                group.flag("autoregroup").orElse(false));
    }

    private static double amount(Settings section, String key) {
        String text = section.requiredText(key);
        if (!text.matches("[0-9]{1,12}(\\.[0-9]{1,9})?")) {
            throw section.invalid(key, "expected a number that is not negative, not (" + text + ")");
        }
        return Double.parseDouble(text);
    }

    private static PoolRules rules(Settings section) {
        var limits = new HashMap<String, Double>();
        section.section("concurrency-limits")
                .ifPresent(all ->
                        all.keys().forEach(name -> limits.put(name.toLowerCase(Locale.ROOT), amount(all, name))));
        return new PoolRules(
                rule(section, "preemption-requirements"), rule(section, "rank-preemption-requirements"), limits);
    }

    private static Optional<Expr> rule(Settings section, String key) {
        try {
            Optional<String> text = section.text(key);
            return text.isEmpty() ? Optional.empty() : Optional.of(Expr.parse(text.get()));
        } catch (ClassAdSyntaxException e) {
            throw section.invalid(key, String.valueOf(e.getMessage()));
        }
    }

    private static Rebinds rebinds(Settings section) {
        section.allowOnly(Set.of("when", "below", "every"));
        String when = section.requiredText("when");
        Path below = Path.of(section.requiredText("below"));
        if (!below.isAbsolute()) {
            throw section.invalid("below", "expected the absolute path of a folder, not (" + below + ")");
        }
        try {
            return new Rebinds(
                    RebindPolicy.parse(when),
                    below.normalize(),
                    section.positiveDuration("every", Duration.ofMinutes(5)));
        } catch (ClassAdSyntaxException e) {
            throw section.invalid("when", String.valueOf(e.getMessage()));
        }
    }

    private static DatabaseSettings database(Settings file) {
        var section = file.section("database");
        String embedded = "jdbc:h2:file:" + data(file).resolve("server");
        if (section.isEmpty()) {
            return new DatabaseSettings(embedded, "", "", 10);
        }
        var database = section.get();
        database.allowOnly(Set.of("url", "user", "password", "password-file", "connections"));
        try {
            return new DatabaseSettings(
                    database.text("url").orElse(embedded),
                    database.text("user").orElse(""),
                    password(database),
                    database.number("connections").orElse(10));
        } catch (IllegalArgumentException e) {
            throw database.invalid("url", String.valueOf(e.getMessage()));
        }
    }

    private static String password(Settings database) {
        var file = database.text("password-file");
        if (file.isEmpty()) {
            return database.text("password").orElse("");
        }
        try {
            return Files.readString(Path.of(file.get()), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw database.invalid("password-file", "the file (" + file.get() + ") cannot be read");
        }
    }

    private static Negotiation negotiation(Settings file) {
        var usual = new Negotiation(SearchStrategy.WINDOWS, NegotiationBudget.DEFAULT, Duration.ofSeconds(30), 64);
        return file.section("negotiation").map(s -> negotiation(s, usual)).orElse(usual);
    }

    private static Negotiation negotiation(Settings section, Negotiation usual) {
        section.allowOnly(
                Set.of("strategy", "lead", "rounds", "attempts", "longest", "pause", "call-timeout", "calls-per-site"));
        var budget = usual.budget();
        return new Negotiation(
                section.text("strategy").map(s -> strategy(section, s)).orElse(usual.strategy()),
                new NegotiationBudget(
                        section.notNegativeDuration("lead", budget.lead()),
                        section.atLeastOne("rounds", budget.mostRounds()),
                        section.atLeastOne("attempts", budget.mostAttempts()),
                        section.positiveDuration("longest", budget.longest()),
                        section.notNegativeDuration("pause", budget.pause())),
                section.positiveDuration("call-timeout", usual.callTimeout()),
                section.atLeastOne("calls-per-site", usual.callsPerSite()));
    }

    private static SearchStrategy strategy(Settings section, String word) {
        return Arrays.stream(SearchStrategy.values())
                .filter(s -> s.name().toLowerCase(Locale.ROOT).equals(word))
                .findFirst()
                .orElseThrow(() -> section.invalid("strategy", "expected windows or listing1, not (" + word + ")"));
    }

    private static Intervals intervals(Settings file) {
        var monitor = file.section("monitor");
        monitor.ifPresent(m -> m.allowOnly(Set.of("every", "degraded")));
        var sweeper = file.section("sweeper");
        sweeper.ifPresent(s -> s.allowOnly(Set.of("every", "grace")));
        return new Intervals(
                every(monitor, Duration.ofSeconds(15)),
                monitor.map(ConfigurationFile::onDegraded).orElse(OnDegraded.TELL),
                every(sweeper, Duration.ofSeconds(30)),
                sweeper.map(s -> s.notNegativeDuration("grace", Duration.ofMinutes(10)))
                        .orElse(Duration.ofMinutes(10)),
                file.positiveDuration("keep-ended", Duration.ofDays(90)));
    }

    private static Duration every(Optional<Settings> section, Duration usual) {
        return section.map(s -> s.positiveDuration("every", usual)).orElse(usual);
    }
}
