package org.metasched.trust;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyType;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.metasched.durable.ReloadedFile;
import org.metasched.trust.Subject.Action;
import org.metasched.trust.Subject.Kind;

/**
 * Verifies bearer tokens: access tokens of the WLCG Common JWT Profile 1.x and SciTokens 2.0. They are signed with RS256 or ES256 by a key
 * of a configured issuer. Keys come from a file, read again when it changes, or from an address that the configuration names: read every
 * six hours, for an unknown key every five minutes at most, and kept for two days while the address does not answer. Thread-safe.
 */
public final class TokenVerifier {

    private static final int LONGEST_TOKEN = 16 * 1024;
    private static final int MOST_REMEMBERED = 1_000;
    private static final int LARGEST_KEY_SET = 256 * 1024;
    private static final int LONGEST_SUBJECT = 255;
    private static final Duration SKEW = Duration.ofSeconds(60);
    /** The audience of a WLCG token that is meant for every service. */
    private static final String ANY = "https://wlcg.cern.ch/jwt/v1/any";

    private static final Pattern GROUP = Pattern.compile("(/[A-Za-z0-9][A-Za-z0-9_.-]*)+");
    private static final Map<JWSAlgorithm, KeyType> ALGORITHMS =
            Map.of(JWSAlgorithm.RS256, KeyType.RSA, JWSAlgorithm.ES256, KeyType.EC);
    private static final Map<String, Set<Action>> COMPUTE = Map.of(
            "compute.read", Set.of(Action.READ),
            "compute.create", Set.of(Action.CREATE),
            "compute.modify", Set.of(Action.MODIFY),
            "compute.cancel", Set.of(Action.CANCEL));
    private static final Map<String, Set<Action>> CONDOR =
            Map.of("condor:/READ", Set.of(Action.READ), "condor:/WRITE", EnumSet.allOf(Action.class));

    /**
     * An issuer whose tokens are trusted.
     *
     * @param url issuer's URL, compared as an exact string
     * @param keys address of a JWKS: {@code file:}, {@code https:}, or {@code http:} on this machine
     * @param longestLife longest time from {@code iat} to {@code exp}; 6 hours in the profile
     * @param condorScopes whether {@code condor:/READ} and {@code condor:/WRITE} count
     */
    public record Issuer(String url, URI keys, Duration longestLife, boolean condorScopes) {

        public Issuer {
            if (!String.valueOf(keys.getScheme()).matches("file|https") && !ClientCredentials.isLocal(keys)) {
                throw new IllegalArgumentException("The key set (" + keys + ") must be a file or an https address.");
            }
        }
    }

    private record Known(Issuer issuer, JWKSource<SecurityContext> keys) {}

    private final Map<String, Known> issuers;
    private final Set<String> audiences;
    private final Clock clock;
    /** The key that verified the signature of a token, by token; a key that its issuer replaced does not match any more. */
    private final Map<String, JWK> verified = new ConcurrentHashMap<>();

    /** @param audiences our names, one of which must be in {@code aud} */
    public TokenVerifier(List<Issuer> issuers, Set<String> audiences, Clock clock) {
        this.issuers = issuers.stream()
                .map(issuer -> new Known(issuer, source(issuer.keys())))
                .collect(Collectors.toUnmodifiableMap(k -> k.issuer().url(), Function.identity()));
        this.audiences = Set.copyOf(audiences);
        this.clock = clock;
    }

    private static JWKSource<SecurityContext> source(URI keys) {
        if ("file".equals(keys.getScheme())) {
            var file = new ReloadedFile<>(Path.of(keys), TokenVerifier::keys);
            return (selector, context) -> selector.select(file.get());
        }
        try {
            return JWKSourceBuilder.create(keys.toURL(), new DefaultResourceRetriever(5_000, 5_000, LARGEST_KEY_SET))
                    .cache(
                            Duration.ofHours(6).toMillis(),
                            Duration.ofSeconds(15).toMillis())
                    .rateLimited(Duration.ofMinutes(5).toMillis())
                    .outageTolerant(Duration.ofDays(2).toMillis())
                    .build();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("The key set (" + keys + ") is no address: " + e.getMessage(), e);
        }
    }

    private static JWKSet keys(Path file) {
        try {
            return JWKSet.load(file.toFile());
        } catch (IOException | ParseException e) {
            throw new IllegalArgumentException("The key set (" + file + ") cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * The subject of an access token.
     *
     * @throws UntrustedException with the reason, which is for the log only
     */
    public Subject verify(String token) throws UntrustedException {
        UntrustedException.throwIf(token.length() > LONGEST_TOKEN, "the token has %s characters", token.length());
        return verifyClaims(token, (claims, issuer) -> {
            checkProfile(claims);
            return subject(claims, issuer);
        });
    }

    /**
     * Verifies an OpenID Connect identity token of a known issuer, by signature and times as any token.
     *
     * @param client client id to which it must be issued
     * @param nonce nonce of the request that it answers
     * @return the name of its subject, as {@link #verify} makes it
     * @throws UntrustedException with the reason, which is for the log only
     */
    public String verifyIdentity(String token, String client, String nonce) throws UntrustedException {
        return verifyClaims(token, (claims, issuer) -> {
            if (!claims.getAudience().equals(List.of(client)) || !nonce.equals(claims.getStringClaim("nonce"))) {
                throw new UntrustedException("the identity token is for another, or of another log-in");
            }
            return claims.getIssuer() + "," + claims.getSubject();
        });
    }

    /** Makes a result of claims whose signature and times are right. */
    private interface Judgement<T> {
        T of(JWTClaimsSet claims, Issuer issuer) throws UntrustedException, ParseException;
    }

    private <T> T verifyClaims(String token, Judgement<T> judgement) throws UntrustedException {
        try {
            var jwt = SignedJWT.parse(token);
            var claims = jwt.getJWTClaimsSet();
            var known = Optional.ofNullable(issuers.get(String.valueOf(claims.getIssuer())))
                    .orElseThrow(() -> new UntrustedException("the issuer is not known"));
            checkSignature(jwt, known.keys());
            checkTimes(claims, known.issuer());
            return judgement.of(claims, known.issuer());
        } catch (ParseException | JOSEException | IllegalArgumentException e) {
            throw new UntrustedException("the token cannot be read: " + e.getMessage(), e);
        }
    }

    private void checkSignature(SignedJWT jwt, JWKSource<SecurityContext> keys)
            throws UntrustedException, JOSEException {
        var header = jwt.getHeader();
        KeyType type = ALGORITHMS.get(header.getAlgorithm());
        if (type == null || header.getKeyID() == null || header.getCustomParam("zip") != null) {
            throw new UntrustedException("the header (" + header.getAlgorithm() + ") is not allowed, or names no key");
        }
        // The kid is a key of a map and nothing else; jwk, jku and x5u of the header are never looked at.
        var matcher = new JWKMatcher.Builder().keyID(header.getKeyID()).build();
        var found = keys.get(new JWKSelector(matcher), null);
        if (found.isEmpty()
                || !type.equals(found.get(0).getKeyType())
                || !(found.get(0) instanceof AsymmetricJWK pair)) {
            throw new UntrustedException("the issuer has no such key");
        }
        if (found.get(0).equals(verified.get(jwt.getParsedString()))) {
            return;
        }
        if (!jwt.verify(new DefaultJWSVerifierFactory().createJWSVerifier(header, pair.toPublicKey()))) {
            throw new UntrustedException("the signature is wrong");
        }
        if (verified.size() >= MOST_REMEMBERED) {
            verified.clear();
        }
        verified.put(jwt.getParsedString(), found.get(0));
    }

    private void checkTimes(JWTClaimsSet claims, Issuer issuer) throws UntrustedException {
        Instant now = clock.instant();
        Instant expires = instant("exp", claims.getExpirationTime());
        Instant issued = instant("iat", claims.getIssueTime());
        Date notBefore = claims.getNotBeforeTime();
        boolean early = issued.isAfter(now.plus(SKEW))
                || notBefore != null && notBefore.toInstant().isAfter(now.plus(SKEW));
        UntrustedException.throwIf(
                early || !expires.isAfter(now), "it is not valid now: issued %s, expires %s", issued, expires);
        if (Duration.between(issued, expires).compareTo(issuer.longestLife()) > 0) {
            throw new UntrustedException("it lives longer than " + issuer.longestLife());
        }
    }

    private static Instant instant(String claim, @Nullable Date date) throws UntrustedException {
        if (date == null) {
            throw new UntrustedException("the claim " + claim + " is missing");
        }
        return date.toInstant();
    }

    /** Checks the profile of a token, and the claims that it must have. */
    private void checkProfile(JWTClaimsSet claims) throws UntrustedException {
        boolean wlcg = claims.getClaim("wlcg.ver") instanceof String version && version.matches("1\\.[0-9]+");
        boolean sciToken = "scitoken:2.0".equals(claims.getClaim("ver"));
        UntrustedException.throwIf(!wlcg && !sciToken, "its profile is not known");
        boolean ours = claims.getAudience().stream()
                .anyMatch(a -> audiences.contains(a) || (wlcg ? ANY.equals(a) : "ANY".equals(a)));
        UntrustedException.throwIf(!ours, "it is meant for others: %s", claims.getAudience());
        String sub = claims.getSubject();
        if (sub == null || sub.isEmpty() || sub.length() > LONGEST_SUBJECT || !sub.matches("[\\x20-\\x7E]+")) {
            throw new UntrustedException("it names no subject");
        }
        if (claims.getJWTID() == null) {
            throw new UntrustedException("the claim jti is missing");
        }
    }

    private static Subject subject(JWTClaimsSet claims, Issuer issuer) throws UntrustedException, ParseException {
        Object scope = claims.getClaim("scope");
        if (scope != null && !(scope instanceof String)) {
            throw new UntrustedException("its scope is no text");
        }
        var actions = EnumSet.noneOf(Action.class);
        boolean capability = false;
        for (String word : String.valueOf(scope).split(" ", -1)) {
            capability |= word.startsWith("compute.") || word.startsWith("storage.");
            actions.addAll(COMPUTE.getOrDefault(word, Set.of()));
            if (issuer.condorScopes()) {
                actions.addAll(CONDOR.getOrDefault(word, Set.of()));
            }
        }
        List<String> groups =
                Optional.ofNullable(claims.getStringListClaim("wlcg.groups")).orElse(List.of());
        for (String group : groups) {
            UntrustedException.throwIf(
                    !GROUP.matcher(group).matches(), "its groups are not written as the profile says");
        }
        // With any capability the profile forbids to look at groups.
        return new Subject(
                Kind.TOKEN,
                claims.getIssuer() + "," + claims.getSubject(),
                capability ? List.of() : groups,
                actions,
                capability || !actions.isEmpty(),
                false);
    }
}
