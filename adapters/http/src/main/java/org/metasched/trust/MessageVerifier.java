package org.metasched.trust;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.wss4j.common.WSS4JConstants;
import org.apache.wss4j.common.crypto.AlgorithmSuite;
import org.apache.wss4j.common.crypto.WSProviderConfig;
import org.apache.wss4j.common.ext.WSSecurityException;
import org.apache.wss4j.dom.WSConstants;
import org.apache.wss4j.dom.WSDataRef;
import org.apache.wss4j.dom.engine.WSSConfig;
import org.apache.wss4j.dom.engine.WSSecurityEngine;
import org.apache.wss4j.dom.engine.WSSecurityEngineResult;
import org.apache.wss4j.dom.handler.RequestData;
import org.apache.wss4j.dom.handler.WSHandlerResult;
import org.apache.wss4j.dom.message.token.Timestamp;
import org.metasched.adapter.Sha256Digest;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * Verifies the security header of a SOAP message (WS-Security 1.1). The header has an X.509 signature of the body, of every header and of
 * the timestamp, or a name with a password. Thread-safe; accepts each signed message only once, and none that is older than its memory.
 */
public final class MessageVerifier {

    private static final Duration OLDEST = Duration.ofMinutes(5);
    private static final Duration AHEAD = Duration.ofMinutes(1);
    /** Time for which a message is remembered: longer than it is accepted, even if clocks of servers with a common memory differ. */
    private static final Duration REMEMBERED = Duration.ofMinutes(15);

    private static final Duration LONGEST_LIFE = Duration.ofHours(1);
    /**
     * The most characters in a security header: the library parses some numbers and names in a time that grows with the square of their
     * length.
     */
    private static final int MOST_CHARACTERS = 16_384;

    /** Characters of a certificate that count as one, since they cost less. */
    private static final int CHEAPER_CERTIFICATES = 8;

    private static final int WEAKEST_RSA = 2_048;
    private static final int STRONGEST_RSA = 8_192;
    private static final int WEAKEST_CURVE = 256;
    private static final Set<String> SIGNATURE = Set.of("BinarySecurityToken", "Signature", "Timestamp");
    private static final Set<String> PASSWORD = Set.of("UsernameToken", "Timestamp");
    private static final AlgorithmSuite ALGORITHMS = algorithms();

    static {
        // The providers of the process stay as they are.
        WSSConfig.setAddJceProviders(false);
        // Otherwise its exceptions say that it is not initialised, instead of the reason.
        WSProviderConfig.init(false, false, false);
    }

    private final Optional<ChainVerifier> signers;
    private final Optional<PasswordFile> passwords;
    private final Clock clock;
    private final ReplayCache replays;
    private final StrangerBudget strangers;

    /**
     * @param signers verifier of the signers' certificates, if signatures are accepted
     * @param passwords names with passwords, if they are accepted
     * @param replays memory of messages; verifiers that share it accept a message only once among them
     */
    public MessageVerifier(
            Optional<ChainVerifier> signers, Optional<PasswordFile> passwords, ReplayCache replays, Clock clock) {
        this.signers = signers;
        this.passwords = passwords;
        this.replays = replays;
        this.clock = clock;
        this.strangers = new StrangerBudget(clock);
    }

    private static AlgorithmSuite algorithms() {
        var suite = new AlgorithmSuite();
        String more = "http://www.w3.org/2001/04/xmldsig-more#";
        for (String bits : List.of("256", "384", "512")) {
            suite.addSignatureMethod(more + "rsa-sha" + bits);
            suite.addSignatureMethod(more + "ecdsa-sha" + bits);
        }
        List.of(WSS4JConstants.SHA256, WSS4JConstants.SHA384, WSS4JConstants.SHA512)
                .forEach(suite::addDigestAlgorithm);
        suite.addC14nAlgorithm(WSS4JConstants.C14N_EXCL_OMIT_COMMENTS);
        suite.addTransformAlgorithm(WSS4JConstants.C14N_EXCL_OMIT_COMMENTS);
        suite.setMinimumAsymmetricKeyLength(WEAKEST_RSA);
        suite.setMaximumAsymmetricKeyLength(STRONGEST_RSA);
        suite.setMinimumEllipticCurveKeyLength(WEAKEST_CURVE);
        return suite;
    }

    /** Names with passwords, if they are accepted. */
    public Optional<PasswordFile> passwords() {
        return passwords;
    }

    /** Budget for messages before their sender is known. */
    public StrangerBudget strangers() {
        return strangers;
    }

    /**
     * The subject of a session.
     *
     * @throws UntrustedException with the reason, which is for the log only
     */
    public Subject verifySession(String session) throws UntrustedException {
        return passwords
                .orElseThrow(() -> new UntrustedException("credentials of this kind are not taken"))
                .bySession(session, clock.instant());
    }

    /**
     * Begins the verification of a message that arrives.
     *
     * @param secure whether it came over TLS
     * @param from address of its sender
     */
    public Verification begin(boolean secure, String from) {
        return new Verification(secure, from);
    }

    /** Verification of one message: first of the part before its Body, then of the whole. Not thread-safe. */
    public final class Verification {

        private final boolean secure;
        private final MessageProof proof;
        private boolean signed;

        private Verification(boolean secure, String from) {
            this.secure = secure;
            proof = new MessageProof(
                    signers,
                    (name, password) -> passwords.orElseThrow().isRight(name, password, from, clock.instant()),
                    nonce -> remember("nonce", nonce));
        }

        /**
         * Verifies certificate or password, which need no Body.
         *
         * @param head the part of the message before its Body
         * @return whether there is a security header
         * @throws UntrustedException with the reason, which is for the log only
         */
        public boolean checkHead(Document head) throws UntrustedException {
            var security = SignedMessage.security(head);
            if (security.isEmpty()) {
                return false;
            }
            var tokens = SignedMessage.elements(security.get().getChildNodes());
            signed = tokens.stream().anyMatch(token -> "Signature".equals(token.getLocalName()));
            refuseOtherTokens(tokens, signed ? SIGNATURE : PASSWORD);
            if (signed ? signers.isEmpty() : passwords.isEmpty() || !secure) {
                throw new UntrustedException("a proof of a kind that is not taken, or a password without TLS");
            }
            if (signed) {
                proof.verifyCertificate(tokens);
            } else {
                process(security.get(), proof);
            }
            return true;
        }

        /**
         * The sender of the whole message, after {@link #checkHead}.
         *
         * @param document the whole message; only its elements may be processed afterwards
         * @param isHere test whether an address in {@code wsa:To} is the one to which the message came
         * @return empty without a security header
         * @throws UntrustedException with the reason, which is for the log only
         */
        public Optional<Subject> subject(Document document, Predicate<String> isHere) throws UntrustedException {
            var message = SignedMessage.in(document);
            if (message.isEmpty()) {
                return Optional.empty();
            }
            if (signed) {
                checkSigned(message.get(), process(message.get().security(), proof), isHere);
            }
            return Optional.of(proof.subject());
        }
    }

    /** Refuses tokens that are not allowed or repeated: no encryption, assertion or derived key reaches the library. */
    private static void refuseOtherTokens(List<Element> tokens, Set<String> allowed) throws UntrustedException {
        var names = tokens.stream().map(Element::getLocalName).toList();
        for (String name : names) {
            if (!allowed.contains(name) || names.indexOf(name) != names.lastIndexOf(name)) {
                throw new UntrustedException("a token (" + name + ") that is not expected here");
            }
        }
        int length = tokens.stream().mapToInt(MessageVerifier::length).sum();
        UntrustedException.throwIf(length > MOST_CHARACTERS, "its security header is too long (%s characters)", length);
    }

    private static int length(Element token) {
        boolean isPlain = token.getElementsByTagName("*").getLength() == 0;
        int count = token.getTextContent().length();
        return isPlain && "BinarySecurityToken".equals(token.getLocalName()) ? count / CHEAPER_CERTIFICATES : count;
    }

    private static WSHandlerResult process(Element security, MessageProof proof) throws UntrustedException {
        var config = WSSConfig.getNewInstance();
        config.setValidator(WSConstants.USERNAME_TOKEN, proof);
        var data = new RequestData();
        data.setWssConfig(config);
        data.setSigVerCrypto(proof);
        data.setAlgorithmSuite(ALGORITHMS);
        data.setTimeStampStrict(true);
        data.setTimeStampTTL((int) OLDEST.toSeconds());
        data.setTimeStampFutureTTL((int) AHEAD.toSeconds());
        data.setRequireTimestampExpires(true);
        var engine = new WSSecurityEngine();
        engine.setWssConfig(config);
        try {
            return engine.processSecurityHeader(security, data);
        } catch (WSSecurityException | RuntimeException e) {
            // A message that makes the library fail is refused like one that the library refuses.
            throw MessageProof.refused(e);
        }
    }

    private void checkSigned(SignedMessage message, WSHandlerResult result, Predicate<String> isHere)
            throws UntrustedException {
        if (!(only(result, WSConstants.SIGN).get(WSSecurityEngineResult.TAG_DATA_REF_URIS) instanceof List<?> parts)
                || !(only(result, WSConstants.TS).get(WSSecurityEngineResult.TAG_TIMESTAMP) instanceof Timestamp stamp)
                || stamp.getCreated() == null
                || stamp.getExpires() == null) {
            throw new UntrustedException("a signature and a Timestamp with Created and Expires are needed");
        }
        var signed = parts.stream().map(WSDataRef.class::cast).toList();
        message.requireSigned(
                signed.stream().map(WSDataRef::getProtectedElement).toList());
        checkTimes(stamp.getCreated(), stamp.getExpires());
        UntrustedException.throwIf(
                !isHere.test(message.to()),
                "it is signed for another address than public-url, allowed-hosts and the machine's own");
        // Not the signature itself: from an ECDSA signature a second valid one can be made without the key.
        if (!remember("signed", signed.stream().map(WSDataRef::getDigestValue).toArray(byte[][]::new))) {
            throw new UntrustedException("it was sent before: a replay");
        }
    }

    private boolean remember(String kind, byte[]... parts) {
        var named = Stream.concat(Stream.of(kind.getBytes(StandardCharsets.US_ASCII)), Stream.of(parts));
        Instant now = clock.instant();
        return replays.remember(
                HexFormat.of().formatHex(Sha256Digest.of(named.toArray(byte[][]::new))), now, now.plus(REMEMBERED));
    }

    /** Checks the times of a message by our clock. The library uses the machine's, and does not limit a message's life. */
    private void checkTimes(Instant created, Instant expires) throws UntrustedException {
        var now = clock.instant();
        if (created.isBefore(now.minus(OLDEST)) || created.isAfter(now.plus(AHEAD)) || !expires.isAfter(now)) {
            throw new UntrustedException("it does not hold now: made " + created + ", expires " + expires);
        }
        if (created.isBefore(replays.begin()) || expires.isAfter(created.plus(LONGEST_LIFE))) {
            throw new UntrustedException("made before this server remembers, or holds longer than " + LONGEST_LIFE);
        }
    }

    private static WSSecurityEngineResult only(WSHandlerResult result, int action) throws UntrustedException {
        var results = result.getActionResults().getOrDefault(action, List.of());
        UntrustedException.throwIf(results.size() != 1, "one signature and one Timestamp are needed");
        return results.get(0);
    }
}
