package org.metasched.trust;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Presents the newest certificate, whatever authorities the other side names: the other side decides. A handshake that began
 * before a renewal ends with the certificate and the key with which it began. Thread-safe.
 */
public final class ReloadedKeys extends X509ExtendedKeyManager {

    private final Supplier<KeyMaterial> material;
    private final Map<String, KeyMaterial> chosen = new ConcurrentHashMap<>();

    /** @param material source of the newest certificate, read at each handshake */
    public ReloadedKeys(Supplier<KeyMaterial> material) {
        this.material = material;
    }

    /** The alias of the newest certificate; null if its key is of none of these types. */
    private @Nullable String choose(String... keyTypes) {
        var now = material.get();
        String own = now.key().getAlgorithm();
        if (Arrays.stream(keyTypes).noneMatch(type -> type.equals(own))) {
            return null;
        }
        String alias = String.valueOf(System.identityHashCode(now));
        // Certificates of handshakes that have ended long ago are dropped, once there are several.
        if (chosen.putIfAbsent(alias, now) == null && chosen.size() > 2) {
            chosen.keySet().removeIf(other -> !other.equals(alias));
        }
        return alias;
    }

    private KeyMaterial of(String alias) {
        return chosen.getOrDefault(alias, material.get());
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return getServerAliases(keyType, issuers);
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return choose(keyTypes);
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return choose(keyTypes);
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        String alias = choose(keyType);
        return alias == null ? null : new String[] {alias};
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return choose(keyType);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return choose(keyType);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return of(alias).chain();
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return of(alias).key();
    }
}
