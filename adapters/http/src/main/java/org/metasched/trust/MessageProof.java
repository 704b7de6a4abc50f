package org.metasched.trust;

import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.wss4j.common.WSS4JConstants;
import org.apache.wss4j.common.bsp.BSPEnforcer;
import org.apache.wss4j.common.crypto.Merlin;
import org.apache.wss4j.common.ext.WSSecurityException;
import org.apache.wss4j.common.ext.WSSecurityException.ErrorCode;
import org.apache.wss4j.common.token.PKIPathSecurity;
import org.apache.wss4j.common.token.X509Security;
import org.apache.wss4j.dom.handler.RequestData;
import org.apache.wss4j.dom.validate.Credential;
import org.apache.wss4j.dom.validate.Validator;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/** Verifies the sender of one message, by a certificate in the message or by name and password. Knows no certificates of its own. */
final class MessageProof extends Merlin implements Validator {

    private static final int DIGITAL_SIGNATURE = 0;

    private final Optional<ChainVerifier> signers;
    private final Predicate<byte[]> isNewNonce;
    private final BiPredicate<String, String> isRightPassword;
    private @Nullable Subject subject;
    private X509Certificate[] verified = {};

    /**
     * @param isRightPassword test of a name and a password
     * @param isNewNonce test whether a nonce beside a password is new
     */
    MessageProof(
            Optional<ChainVerifier> signers,
            BiPredicate<String, String> isRightPassword,
            Predicate<byte[]> isNewNonce) {
        this.signers = signers;
        this.isRightPassword = isRightPassword;
        this.isNewNonce = isNewNonce;
    }

    Subject subject() throws UntrustedException {
        return Optional.ofNullable(subject).orElseThrow(() -> new UntrustedException("the message proves no sender"));
    }

    /** Verifies the certificate or chain among the tokens of a security header, before its signature is checked. */
    void verifyCertificate(List<Element> tokens) throws UntrustedException {
        try {
            for (Element token : tokens) {
                if ("BinarySecurityToken".equals(token.getLocalName())) {
                    var rules = new BSPEnforcer();
                    var chain = PKIPathSecurity.PKI_TYPE.equals(token.getAttribute("ValueType"))
                            ? new PKIPathSecurity(token, rules).getX509Certificates(this)
                            : new X509Certificate[] {new X509Security(token, rules).getX509Certificate(this)};
                    verifyTrust(chain, false, null, null);
                }
            }
        } catch (WSSecurityException | RuntimeException e) {
            throw refused(e);
        }
        UntrustedException.throwIf(verified.length == 0, "the security header is refused: there is no certificate");
    }

    static UntrustedException refused(Exception e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return new UntrustedException("the security header is refused: " + cause.getMessage(), e);
    }

    /** Verifies a chain; called before the signature itself is checked. */
    @Override
    public void verifyTrust(
            X509Certificate[] chain,
            boolean enableRevocation,
            @Nullable Collection<Pattern> subjects,
            @Nullable Collection<Pattern> issuers)
            throws WSSecurityException {
        if (verified.length > 0 && Arrays.equals(verified, chain)) {
            return;
        }
        try {
            var signer = signers.orElseThrow().verify(chain);
            boolean[] usage = chain[0].getKeyUsage();
            UntrustedException.throwIf(
                    usage != null && !usage[DIGITAL_SIGNATURE], "the certificate is not for signatures");
            subject = signer;
            verified = chain;
        } catch (UntrustedException e) {
            throw new WSSecurityException(ErrorCode.FAILED_AUTHENTICATION, e);
        }
    }

    @Override
    public Credential validate(Credential credential, RequestData data) throws WSSecurityException {
        var token = credential.getUsernametoken();
        if (token == null
                || token.getPassword() == null
                || !WSS4JConstants.PASSWORD_TEXT.equals(token.getPasswordType())
                || !isRightPassword.test(token.getName(), token.getPassword())) {
            throw refusal("the name (" + (token == null ? "" : token.getName())
                    + ") or password is wrong, it is no PasswordText, or too many wrong ones came from there");
        }
        if (token.getNonce() != null && !isNewNonce.test(token.getNonce().getBytes(StandardCharsets.UTF_8))) {
            throw refusal("its nonce was used before: a replay");
        }
        subject = Subject.ofPassword(token.getName());
        return credential;
    }

    private static WSSecurityException refusal(String reason) {
        return new WSSecurityException(ErrorCode.FAILED_AUTHENTICATION, new UntrustedException(reason));
    }
}
