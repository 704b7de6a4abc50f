package org.metasched.server;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.catalog.AdapterCatalog;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.agreement.OnDegraded;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.cycle.PoolRules;
import org.metasched.classad.cycle.SharePolicy;
import org.metasched.dag.binding.RebindPolicy;
import org.metasched.http.OutboundPolicy;
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
 * Reads a server's {@code server.yaml}. Every mistake is an {@link org.metasched.adapter.InvalidSettingException} that begins
 * with {@code file:line:column}; an unknown key names the nearest known one.
 */
public final class ConfigurationFile {

    private static final Set<String> KEYS = Set.of(
            ("grid listen port operators public-url allowed-hosts cors trusted-proxies outbound security client mail data database adapters"
                            + " sites negotiation matchmaking monitor sweeper keep-ended drain templates")
                    .split(" "));

    private static final Set<String> MATCHMAKING_KEYS =
            Set.of(("cycle-every advertise-every usage-half-life notify notify-hosts rebind groups concurrency-limits"
                            + " preemption-requirements rank-preemption-requirements")
                    .split(" "));

    private ConfigurationFile() {}

    public static Configuration read(Path file) {
        return read(Optional.of(file), Optional.empty());
    }

    /**
     * Reads a file, or the usual configuration.
     *
     * @param port instead of the configured one
     */
    public static Configuration read(Optional<Path> file, Optional<Integer> port) {
        return from(settings(file), file, port);
    }

    /** The settings of a file, or the usual ones: simulated sites and an embedded database. */
    public static YamlSettings settings(Optional<Path> file) {
        return file.map(YamlSettings::read)
                .orElseGet(() -> YamlSettings.resource(ConfigurationFile.class, "default.yaml"));
    }

    /** Reads settings that were parsed before. */
    public static Configuration from(Settings file) {
        return from(file, Optional.empty(), Optional.empty());
    }

    private static Configuration from(Settings file, Optional<Path> followed, Optional<Integer> port) {
        file.refuseIf(
                file.section("scheduler").isPresent(),
                "scheduler",
                "this is the file of one site, for 'metasched adapter'; that of a server has it under 'sites'");
        file.allowOnly(KEYS);
        var sites = file.sections("sites");
        file.refuseIf(sites.isEmpty(), "sites", "a list of at least one site is missing here");
        var listener = ListenerSettings.read(file, port);
        return new Configuration(
                file.checked("grid", () -> file.text("grid").map(SiteId::new)),
                listener,
                ClientSettings.read(file).orElse(ClientCredentials.ANONYMOUS),
                file.section("mail").map(ConfigurationFile::mail),
                data(file),
                database(file),
                new Additions(AdapterCatalog.folderIn(file), file.path("templates"), followed),
                sites,
                negotiation(file),
                matchmaking(file, listener.outbound()),
                intervals(file),
                file.positiveDuration("drain", Duration.ofSeconds(20)));
    }

    private static MailSender.Settings mail(Settings section) {
        section.allowOnly(Set.of("server", "from", "domains", "tls", "user", "password-file"));
        String server = section.requiredText("server");
        int colon = server.lastIndexOf(':');
        String port = server.substring(colon + 1);
        section.refuseIf(
                colon < 1 || !port.matches("[1-9]\\d{0,4}") || Integer.parseInt(port) > 65_535,
                "server",
                "expected HOST:PORT, such as smtp.example.org:587, not (%s)",
                server);
        return section.checked(
                "from",
                () -> new MailSender.Settings(
                        InetSocketAddress.createUnresolved(server.substring(0, colon), Integer.parseInt(port)),
                        section.requiredText("from"),
                        section.texts("domains"),
                        section.flag("tls").orElse(true),
                        section.text("user"),
                        section.secretFile("password-file")));
    }

    private static Path data(Settings file) {
        return file.path("data")
                .orElse(Path.of(System.getProperty("user.home"), ".metasched"))
                .toAbsolutePath();
    }

    private static Matchmaking matchmaking(Settings file, OutboundPolicy outbound) {
        var section = section(file, "matchmaking");
        section.allowOnly(MATCHMAKING_KEYS);
        var hosts = section.texts("notify-hosts");
        var contacts = hosts.isEmpty() ? outbound : outbound.withHosts(hosts);
        return new Matchmaking(
                section.positiveDuration("cycle-every", Duration.ofMinutes(1)),
                section.positiveDuration("advertise-every", Duration.ofMinutes(1)),
                section.positiveDuration("usage-half-life", Duration.ofDays(1)),
                section.flag("notify").orElse(true) ? Optional.of(contacts) : Optional.empty(),
                section.section("rebind").map(ConfigurationFile::rebinds),
                shares(section),
                rules(section));
    }

    /** A section of the file; an empty one where the file has none. */
    private static Settings section(Settings file, String key) {
        return file.section(key).orElseGet(() -> YamlSettings.parse(key, "{}"));
    }

    private static SharePolicy shares(Settings section) {
        var groups = section.sections("groups").stream()
                .map(ConfigurationFile::group)
                .toList();
        return section.checked("groups", () -> SharePolicy.DEFAULT.with(groups));
    }

    private static SharePolicy.Group group(Settings group) {
        group.allowOnly(Set.of("name", "quota", "share", "accept-surplus", "autoregroup"));
        boolean isStatic = group.text("quota").isPresent();
        group.refuseIf(
                isStatic && group.text("share").isPresent(), "share", "a group has a quota or a share, not both");
        return new SharePolicy.Group(
                group.requiredText("name"),
                amount(group, isStatic ? "quota" : "share"),
                isStatic,
                group.flag("accept-surplus").orElse(false),
                group.flag("autoregroup").orElse(false));
    }

    private static double amount(Settings section, String key) {
        String text = section.requiredText(key);
        section.refuseIf(
                !text.matches("[0-9]{1,12}(\\.[0-9]{1,9})?"),
                key,
                "expected a number that is not negative, not (%s)",
                text);
        return Double.parseDouble(text);
    }

    private static PoolRules rules(Settings section) {
        var limits = new HashMap<String, Double>();
        section.section("concurrency-limits")
                .ifPresent(all -> all.keys().forEach(name -> {
                    var other = limits.put(name.toLowerCase(Locale.ROOT), amount(all, name));
                    all.refuseIf(other != null, name, "this name has a limit already, as case does not count");
                }));
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
        Path below = section.requiredPath("below");
        section.refuseIf(!below.isAbsolute(), "below", "expected the absolute path of a folder, not (%s)", below);
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
        String embedded = "jdbc:h2:file:" + data(file).resolve("server");
        var database = section(file, "database");
        database.allowOnly(Set.of("url", "user", "password", "password-file", "connections"));
        return database.checked(
                "url",
                () -> new DatabaseSettings(
                        database.text("url").orElse(embedded),
                        database.text("user").orElse(""),
                        database.secret("password-file")
                                .or(() -> database.text("password"))
                                .orElse(""),
                        database.number("connections").orElse(10)));
    }

    private static Negotiation negotiation(Settings file) {
        var section = section(file, "negotiation");
        section.allowOnly(
                Set.of("strategy", "lead", "rounds", "attempts", "longest", "pause", "call-timeout", "calls-per-site"));
        var budget = NegotiationBudget.DEFAULT;
        return new Negotiation(
                SearchStrategy.valueOf(
                        section.oneOf("strategy", "windows", "listing1").toUpperCase(Locale.ROOT)),
                new NegotiationBudget(
                        section.notNegativeDuration("lead", budget.lead()),
                        section.atLeastOne("rounds", budget.mostRounds()),
                        section.atLeastOne("attempts", budget.mostAttempts()),
                        section.positiveDuration("longest", budget.longest()),
                        section.notNegativeDuration("pause", budget.pause())),
                section.positiveDuration("call-timeout", Duration.ofSeconds(30)),
                section.atLeastOne("calls-per-site", 64));
    }

    private static Intervals intervals(Settings file) {
        var monitor = section(file, "monitor");
        monitor.allowOnly(Set.of("every", "degraded"));
        var sweeper = section(file, "sweeper");
        sweeper.allowOnly(Set.of("every", "grace"));
        return new Intervals(
                monitor.positiveDuration("every", Duration.ofSeconds(15)),
                OnDegraded.of(monitor.oneOf("degraded", "tell", "end", "replace", "renegotiate"))
                        .orElseThrow(),
                sweeper.positiveDuration("every", Duration.ofSeconds(30)),
                sweeper.notNegativeDuration("grace", Duration.ofMinutes(10)),
                file.positiveDuration("keep-ended", Duration.ofDays(90)));
    }
}
