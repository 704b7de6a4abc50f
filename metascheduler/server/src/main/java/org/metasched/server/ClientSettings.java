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
     * @param file settings that may have the section
     * @throws org.metasched.adapter.InvalidSettingException with the place of the mistake
     */
    public static Optional<ClientCredentials> read(Settings file) {
        return file.section("client").map(section -> {
            section.allowOnly(Set.of("certificate", "key", "authorities", "token-file"));
            return file.checked(
                    "client",
                    () -> new ClientCredentials(
                            section.text("certificate")
                                    .map(own -> new Tls(Path.of(own), Path.of(section.requiredText("key")))),
                            section.text("authorities").map(Path::of),
                            section.text("token-file").map(Path::of)));
        });
    }
}
