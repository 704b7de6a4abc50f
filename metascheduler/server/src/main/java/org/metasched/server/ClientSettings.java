package org.metasched.server;

import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.Settings;
import org.metasched.trust.Authentication.Tls;
import org.metasched.trust.ClientCredentials;
import org.metasched.trust.KeyMaterial;

/** Reads {@code client:}: credentials of this process for calls of sites, servers, initiators and parties of matches. */
public final class ClientSettings {

    private ClientSettings() {}

    /**
     * @param file settings that may have the section
     * @throws org.metasched.adapter.InvalidSettingException with the place of the mistake
     */
    public static Optional<ClientCredentials> read(Settings file) {
        return file.section("client").map(section -> {
            section.allowOnly(Set.of("certificate", "key", "authorities", "token-file"));
            return file.checked(
                    "client",
                    () -> new ClientCredentials(
                            tls(section), section.path("authorities"), section.secretFile("token-file")));
        });
    }

    /** The certificate and its key, if a section has them. A store is a secret too: the key is in it, under a password. */
    static Optional<Tls> tls(Settings section) {
        return section.path("certificate")
                .flatMap(file -> KeyMaterial.isStore(file) ? section.secretFile("certificate") : Optional.of(file))
                .map(file -> new Tls(file, section.secretFile("key").orElseGet(() -> section.requiredPath("key"))));
    }
}
