package org.metasched.http;

import java.security.KeyStore;
import java.security.cert.CRL;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.TrustManager;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;
import org.metasched.trust.Authentication;
import org.metasched.trust.ChainVerifier;
import org.metasched.trust.KeyMaterial;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** TLS 1.3 and 1.2 with a certificate that may change while the server runs, and client certificates if authorities are configured. */
final class TlsContext extends SslContextFactory.Server {

    private static final Logger LOG = LoggerFactory.getLogger(TlsContext.class);
    private static final long LOOK_EVERY = 10;

    private final Supplier<KeyMaterial> material;
    private final Optional<ChainVerifier> chains;
    private KeyMaterial used;

    private TlsContext(Supplier<KeyMaterial> material, Optional<ChainVerifier> chains) {
        this.material = material;
        this.chains = chains;
        this.used = material.get();
        setKeyStore(used.store());
        setKeyStorePassword(used.password());
        setIncludeProtocols("TLSv1.3", "TLSv1.2");
        setWantClientAuth(chains.isPresent());
        setEndpointIdentificationAlgorithm(null);
    }

    static Optional<TlsContext> of(Authentication authentication) {
        return authentication.tls().map(tls -> new TlsContext(KeyMaterial.of(tls), authentication.chains()));
    }

    /** Looks for a new certificate; one that cannot be used leaves the old one in service. */
    void watch(org.eclipse.jetty.server.Server server) {
        server.getScheduler()
                .schedule(
                        () -> {
                            look();
                            watch(server);
                        },
                        LOOK_EVERY,
                        TimeUnit.SECONDS);
    }

    void look() {
        var now = material.get();
        if (now == used) {
            return;
        }
        used = now;
        try {
            reload(context -> {
                context.setKeyStore(now.store());
                context.setKeyStorePassword(now.password());
            });
            LOG.info("The listener has a new certificate");
        } catch (Exception e) {
            LOG.error("The new certificate of the listener cannot be used: {}", e.toString());
        }
    }

    @Override
    protected TrustManager @Nullable [] getTrustManagers(
            @Nullable KeyStore trustStore, @Nullable Collection<? extends CRL> lists) throws Exception {
        return chains.isPresent()
                ? new TrustManager[] {chains.get().trustManager()}
                : super.getTrustManagers(trustStore, lists);
    }
}
