package org.metasched.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.Settings;
import org.metasched.server.Configuration.Security;
import org.metasched.trust.AccessPolicy;
import org.metasched.trust.Authentication.Tls;
import org.metasched.trust.TokenVerifier.Issuer;

/** Reads what callers must prove and who may what. Without a word about it, a listener is open on loopback and closed elsewhere. */
final class SecuritySettings {

    private static final Duration LONGEST_LIFE = Duration.ofHours(6);

    private SecuritySettings() {}

    static Security read(Settings file, boolean loopback) {
        return file.section("security")
                .map(section -> given(section, !loopback))
                .orElseGet(() -> new Security(
                        Optional.empty(), Optional.empty(), List.of(), Set.of(), !loopback, AccessPolicy.OWNERS));
    }

    private static Security given(Settings section, boolean usuallyClosed) {
        section.allowOnly(Set.of(
                "certificate", "key", "authorities", "audiences", "issuers", "anonymous", "operators", "publishers"));
        Optional<Tls> tls =
                section.text("certificate").map(text -> new Tls(file(section, "certificate"), file(section, "key")));
        Optional<Path> authorities = section.text("authorities").map(text -> file(section, "authorities"));
        if (authorities.isPresent() && tls.isEmpty()) {
            throw section.invalid("authorities", "client certificates need TLS: certificate and key are missing here");
        }
        var issuers = section.sections("issuers").stream()
                .map(SecuritySettings::issuer)
                .toList();
        var audiences = Set.copyOf(section.texts("audiences"));
        if (!issuers.isEmpty() && audiences.isEmpty()) {
            throw section.invalid(
                    "audiences", "tokens must be meant for this server: at least one name is missing here");
        }
        return new Security(
                tls,
                authorities,
                issuers,
                audiences,
                section.flag("anonymous").map(open -> !open).orElse(usuallyClosed),
                new AccessPolicy(Set.copyOf(section.texts("operators")), Set.copyOf(section.texts("publishers"))));
    }

    private static Issuer issuer(Settings section) {
        section.allowOnly(Set.of("url", "keys", "longest-life", "condor-scopes"));
        return new Issuer(
                section.requiredText("url"),
                file(section, "keys"),
                section.duration("longest-life").orElse(LONGEST_LIFE),
                section.flag("condor-scopes").orElse(false));
    }

    private static Path file(Settings section, String key) {
        var file = Path.of(section.requiredText(key));
        if (!Files.isReadable(file)) {
            throw section.invalid(key, "the file (" + file + ") cannot be read");
        }
        return file;
    }
}
