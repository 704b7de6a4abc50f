package org.metasched.server;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.metasched.adapter.Settings;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.console.OpenIdLogIn;
import org.metasched.server.Configuration.Security;
import org.metasched.trust.AccessPolicy.People;
import org.metasched.trust.AccessPolicy.Vo;
import org.metasched.trust.AccessRule;
import org.metasched.trust.Authentication.Tls;
import org.metasched.trust.Quotas;
import org.metasched.trust.Quotas.Limits;
import org.metasched.trust.Role;
import org.metasched.trust.TokenVerifier.Issuer;

/** Reads authentication and access policy. Without these settings, a listener is open on loopback and closed elsewhere. */
public final class SecuritySettings {

    private static final Set<String> KEYS =
            Set.of(("certificate key authorities audiences issuers signatures passwords openid anonymous roles"
                            + " vos rules quotas audit syslog")
                    .split(" "));
    private static final Duration USUAL_LONGEST_LIFE = Duration.ofHours(6);
    private static final Set<String> VO_KEYS =
            Set.of("requests-per-second", "offers-under-way", "living-agreements", "node-hours", "matches-per-site");
    private static final Set<String> QUOTA_KEYS =
            Stream.concat(VO_KEYS.stream(), Stream.of("ad-bytes")).collect(Collectors.toUnmodifiableSet());
    /** Limits on requests a second, offers under way, living agreements, node-hours, matches of a site and bytes of ads. */
    private static final Limits DEFAULT =
            new Limits(50, 20, 1_000, Double.POSITIVE_INFINITY, Integer.MAX_VALUE, 64 << 20);

    private SecuritySettings() {}

    /**
     * @param file settings that may have the section {@code security}
     * @param isLoopback whether the listener is at the loopback address
     * @throws org.metasched.adapter.InvalidSettingException with the place of the mistake
     */
    public static Security read(Settings file, boolean isLoopback) {
        var section = file.section("security").orElseGet(() -> YamlSettings.parse("security", "{}"));
        section.allowOnly(KEYS);
        Optional<Tls> tls = ClientSettings.tls(section);
        tls.ifPresent(pair -> Stream.of("certificate", "key").forEach(key -> file(section, key)));
        Optional<Path> authorities = section.text("authorities").map(text -> file(section, "authorities"));
        boolean signatures = section.flag("signatures").orElse(false);
        section.refuseIf(
                signatures && authorities.isEmpty(), "signatures", "signers need authorities, which are missing here");
        section.refuseIf(
                authorities.isPresent() && tls.isEmpty() && !signatures,
                "authorities",
                "client certificates need TLS: certificate and key are missing here");
        var issuers = section.sections("issuers").stream()
                .map(SecuritySettings::issuer)
                .toList();
        var audiences = Set.copyOf(section.texts("audiences"));
        section.refuseIf(
                !issuers.isEmpty() && audiences.isEmpty(),
                "audiences",
                "tokens must be meant for this server: at least one name is missing here");
        var people = new People(
                section.section("roles").map(SecuritySettings::roles).orElse(Map.of()),
                section.sections("vos").stream().map(SecuritySettings::vo).toList(),
                section.flag("anonymous").orElse(isLoopback));
        var security = new Security(
                tls,
                authorities,
                issuers,
                audiences,
                signatures,
                secretFile(section, "passwords"),
                section.section("openid").map(openid -> openId(openid, issuers.isEmpty())),
                people,
                section.sections("rules").stream().map(SecuritySettings::rule).toList(),
                quotas(section),
                section.path("audit"),
                section.text("syslog").map(text -> syslog(section, text)));
        section.checked("rules", security::policy);
        return security;
    }

    /**
     * Without a section of its own, an adapter that strangers can reach rejects all callers.
     *
     * @param serve section {@code serve}, which may have the section {@code security}
     */
    public static Security ofAdapter(Optional<Settings> serve, InetSocketAddress address) {
        return read(
                serve.orElseGet(() -> YamlSettings.parse("serve", "{}")),
                address.getAddress().isLoopbackAddress());
    }

    private static URI syslog(Settings section, String text) {
        if (!text.matches("(udp|tcp)://([A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+])(:[1-9][0-9]{0,4})?|unix:/[^\\s?#%]+")) {
            throw section.invalid(
                    "syslog", "expected udp://host:port, tcp://host:port or unix:/path, not (" + text + ")");
        }
        return URI.create(text);
    }

    private static Map<Role, Set<String>> roles(Settings section) {
        var roles = new EnumMap<Role, Set<String>>(Role.class);
        for (String word : section.keys()) {
            roles.put(role(section, word, word), Set.copyOf(section.texts(word)));
        }
        return roles;
    }

    private static Role role(Settings section, String key, String word) {
        // Under roles, where a key is the word of a role, managers cannot stand; a rule may name them.
        return Role.of(word)
                .filter(r -> r != Role.VO_MANAGER && r != Role.PRODUCTION_MANAGER || !key.equals(word))
                .orElseThrow(() -> section.invalid(
                        key,
                        "expected a role: user, site, server, operator, auditor (managers stand in vos), not (" + word
                                + ")"));
    }

    private static Vo vo(Settings section) {
        section.allowOnly(Set.of("name", "members", "managers", "production-managers", "quotas"));
        return new Vo(
                section.requiredText("name"),
                section.texts("members"),
                Set.copyOf(section.texts("managers")),
                Set.copyOf(section.texts("production-managers")));
    }

    private static AccessRule rule(Settings section) {
        section.allowOnly(Set.of("name", "allow", "deny", "roles", "when"));
        boolean isAllowing = section.keys().contains("allow");
        section.refuseIf(
                isAllowing == section.keys().contains("deny"),
                "name",
                "expected either allow: or deny: with operations");
        var operations = section.texts(isAllowing ? "allow" : "deny");
        var roles = section.texts("roles").stream()
                .map(word -> role(section, "roles", word))
                .collect(Collectors.toSet());
        return new AccessRule(
                section.requiredText("name"),
                isAllowing,
                roles.isEmpty() ? EnumSet.complementOf(EnumSet.of(Role.ANONYMOUS)) : roles,
                operations,
                section.text("when"));
    }

    private static Quotas quotas(Settings section) {
        var vos = new HashMap<String, Limits>();
        for (var vo : section.sections("vos")) {
            vo.section("quotas").ifPresent(q -> vos.put(vo.requiredText("name"), limits(q, Limits.NONE, VO_KEYS)));
        }
        var own = section.section("quotas").map(q -> limits(q, DEFAULT, QUOTA_KEYS));
        return new Quotas(own.orElse(DEFAULT), vos);
    }

    private static Limits limits(Settings section, Limits otherwise, Set<String> keys) {
        section.allowOnly(keys);
        return new Limits(
                section.atLeastOne("requests-per-second", otherwise.requestsPerSecond()),
                section.atLeastOne("offers-under-way", otherwise.offersUnderWay()),
                section.atLeastOne("living-agreements", otherwise.livingAgreements()),
                section.number("node-hours").isPresent() ? section.atLeastOne("node-hours", 1) : otherwise.nodeHours(),
                section.atLeastOne("matches-per-site", otherwise.matchesPerSite()),
                section.atLeastOne("ad-bytes", otherwise.adBytes()));
    }

    private static Issuer issuer(Settings section) {
        section.allowOnly(Set.of("url", "keys", "longest-life", "condor-scopes"));
        String keys = section.requiredText("keys");
        return section.checked(
                "keys",
                () -> new Issuer(
                        section.requiredText("url"),
                        keys.contains("://")
                                ? URI.create(keys)
                                : file(section, "keys").toUri(),
                        section.positiveDuration("longest-life", USUAL_LONGEST_LIFE),
                        section.flag("condor-scopes").orElse(false)));
    }

    private static OpenIdLogIn.Client openId(Settings section, boolean isWithoutIssuers) {
        section.allowOnly(Set.of("client", "secret", "authorize", "token", "scope"));
        section.refuseIf(isWithoutIssuers, "client", "the provider must be one of issuers, which are missing");
        return new OpenIdLogIn.Client(
                section.requiredText("client"),
                secretFile(section, "secret"),
                endpoint(section, "authorize"),
                endpoint(section, "token"),
                section.text("scope").orElse("openid"));
    }

    private static URI endpoint(Settings section, String key) {
        String text = section.requiredText(key);
        if (!text.matches("https://[^\\s?#]+|http://(127\\.0\\.0\\.1|localhost)(:\\d+)?/[^\\s?#]*")) {
            throw section.invalid(key, "expected an https address without a query, not (" + text + ")");
        }
        return URI.create(text);
    }

    private static Optional<Path> secretFile(Settings section, String key) {
        return section.secretFile(key).map(named -> file(section, key));
    }

    private static Path file(Settings section, String key) {
        var file = section.requiredPath(key);
        section.refuseIf(!Files.isReadable(file), key, "the file (%s) cannot be read", file);
        return file;
    }
}
