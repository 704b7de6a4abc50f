package org.metasched.server;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.metasched.adapter.Settings;
import org.metasched.trust.Authentication.Tls;
import org.metasched.trust.ClientCredentials;

/** Reads {@code client:}: credentials of this process for calls of sites, servers, initiators and parties of matches. */
public final class ClientSettings {

    private ClientSettings() {}

    /**
     * @param file that may have the section
     * @throws org.metasched.adapter.InvalidSettingException with the place of the mistake
     */
    public static Optional<ClientCredentials> read(Settings file) {
        return file.section("client").map(section -> {
            section.allowOnly(Set.of("certificate", "key", "authorities", "token-file"));
            try {
                return new ClientCredentials(
                        section.text("certificate").map(own -> new Tls(Path.of(own), path(section, "key"))),
                        section.text("authorities").map(Path::of),
                        section.text("token-file").map(Path::of));
            } catch (IllegalArgumentException e) {
                throw file.invalid("client", String.valueOf(e.getMessage()));
            }
        });
    }

    private static Path path(Settings section, String key) {
        return Path.of(section.requiredText(key));
    }
}
