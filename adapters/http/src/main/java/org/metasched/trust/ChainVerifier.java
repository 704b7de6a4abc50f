package org.metasched.trust;

import eu.emi.security.authn.x509.CommonX509TrustManager;
import eu.emi.security.authn.x509.CrlCheckingMode;
import eu.emi.security.authn.x509.NamespaceCheckingMode;
import eu.emi.security.authn.x509.ProxySupport;
import eu.emi.security.authn.x509.RevocationParameters;
import eu.emi.security.authn.x509.StoreUpdateListener;
import eu.emi.security.authn.x509.StoreUpdateListener.Severity;
import eu.emi.security.authn.x509.ValidationError;
import eu.emi.security.authn.x509.ValidationErrorCode;
import eu.emi.security.authn.x509.ValidationResult;
import eu.emi.security.authn.x509.impl.OpensslCertChainValidator;
import eu.emi.security.authn.x509.impl.ValidatorParams;
import eu.emi.security.authn.x509.proxy.ProxyChainInfo;
import eu.emi.security.authn.x509.proxy.ProxyChainType;
import eu.emi.security.authn.x509.proxy.ProxyUtils;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.net.ssl.X509TrustManager;
import org.metasched.durable.ReloadedFile;
import org.metasched.trust.Subject.Kind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies certificate chains against an IGTF directory: certificate authorities, a revocation list of each, signing policies. Accepts
 * proxy certificates of RFC 3820 and no older kind. Reads the directory again when a file in it has changed; if a file cannot be read any
 * more, the previous content stays in use. Thread-safe.
 */
public final class ChainVerifier implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ChainVerifier.class);
    /** The library does not reload by itself: {@link ReloadedFile} makes another validator. */
    private static final long NEVER = -1;

    /** The greatest number of certificates in a chain. */
    private static final int LONGEST = 10;

    private final ReloadedFile<OpensslCertChainValidator> validator;
    /** Files that were unusable at the start. */
    private final Set<String> unusable = new HashSet<>();

    private boolean hasStarted;

    /** @param authorities IGTF directory, such as {@code /etc/grid-security/certificates} */
    public ChainVerifier(Path authorities) {
        validator = new ReloadedFile<>(authorities, this::read);
        hasStarted = true;
    }

    /** Reads the directory. A file that was unusable at the start may stay so; a usable one must remain usable. */
    private OpensslCertChainValidator read(Path directory) {
        var problems = new TreeMap<String, String>();
        StoreUpdateListener listener = (file, type, severity, problem) -> {
            if (severity == Severity.ERROR) {
                problems.put(file, type + ": " + problem);
            }
        };
        // IGTF names each authority by both of OpenSSL's hashes, today's tools by the newer one alone.
        var older = new BoundedValidator(directory, false, listener);
        var newer = new BoundedValidator(directory, true, listener);
        var created = newer.getTrustedIssuers().length > older.getTrustedIssuers().length ? newer : older;
        if (created.getTrustedIssuers().length == 0) {
            LOG.warn("{} has no authority under the hash of its name, such as 1a2b3c4d.0: none is trusted", directory);
        }
        if (hasStarted) {
            problems.keySet().removeAll(unusable);
            if (!problems.isEmpty()) {
                throw new IllegalArgumentException(
                        "The authorities (" + directory + ") cannot be read: " + problems + ".");
            }
        } else {
            problems.forEach((file, problem) -> LOG.warn("{} is of no use: {}", file, problem));
            unusable.addAll(problems.keySet());
        }
        return created;
    }

    /**
     * Verifies a chain.
     *
     * @param chain the sender's certificate first
     * @return the owner of the end-entity certificate, behind any proxies
     * @throws UntrustedException with the reason, which is for the log only
     */
    public Subject verify(X509Certificate... chain) throws UntrustedException {
        UntrustedException.throwIf(
                chain.length == 0 || chain.length > LONGEST, "the chain has %s certificates", chain.length);
        try {
            ValidationResult result = validator.get().validate(chain);
            UntrustedException.throwIf(!result.isValid(), "the chain is not valid: %s", result.toShortString());
            boolean limited = false;
            if (ProxyUtils.isProxy(chain)) {
                var proxy = new ProxyChainInfo(chain);
                UntrustedException.throwIf(
                        proxy.getProxyType() != ProxyChainType.RFC3820, "a proxy of the kinds before RFC 3820");
                limited = proxy.isLimited();
            }
            return new Subject(
                    Kind.CERTIFICATE,
                    DistinguishedName.slash(ProxyUtils.getEndUserCertificate(chain)),
                    List.of(),
                    Set.of(),
                    false,
                    limited);
        } catch (UntrustedException e) {
            throw e;
        } catch (Exception e) {
            // The library throws its own exceptions for some chains instead of a verdict: they are refused.
            throw new UntrustedException("the chain cannot be judged: " + e, e);
        }
    }

    /** The trust manager of the handshake; {@link #verify} verifies each accepted chain once more. */
    public X509TrustManager trustManager() {
        return new ReloadedTrust(() -> new CommonX509TrustManager(validator.get()));
    }

    @Override
    public void close() {
        validator.get().dispose();
    }

    /**
     * Bounds the names in certificates: the library's time grows with the square of the constrained names, before it checks the signature.
     */
    private static final class BoundedValidator extends OpensslCertChainValidator {

        /** The greatest length of a name, and of all constraints, in bytes. */
        private static final int MOST_OF_NAMES = 2_048;

        private static final String NAME_CONSTRAINTS = "2.5.29.30";

        BoundedValidator(Path directory, boolean newerNames, StoreUpdateListener listener) {
            super(
                    directory.toString(),
                    newerNames,
                    NamespaceCheckingMode.EUGRIDPMA_AND_GLOBUS_REQUIRE,
                    NEVER,
                    new ValidatorParams(
                            new RevocationParameters(CrlCheckingMode.REQUIRE), ProxySupport.ALLOW, List.of(listener)),
                    false);
        }

        @Override
        public ValidationResult validate(X509Certificate[] chain) {
            return Stream.of(chain).allMatch(BoundedValidator::isBounded)
                    ? super.validate(chain)
                    : new ValidationResult(
                            false,
                            List.of(new ValidationError(
                                    chain, -1, ValidationErrorCode.inputError, "its names are too long")));
        }

        private static boolean isBounded(X509Certificate certificate) {
            byte[] constraints = certificate.getExtensionValue(NAME_CONSTRAINTS);
            return (constraints == null || constraints.length <= MOST_OF_NAMES)
                    && certificate.getSubjectX500Principal().getEncoded().length <= MOST_OF_NAMES
                    && certificate.getIssuerX500Principal().getEncoded().length <= MOST_OF_NAMES;
        }
    }
}
