package org.metasched.console;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Stream;
import org.metasched.trust.KeyedDigest;
import org.metasched.trust.Subject;

/**
 * Proof that a form was made here for the person who sends it. No other site can read or send its cookie, and only the person and a server
 * can make the stamp in the form from the cookie. Nothing is kept on the server, so that any server of a cluster takes the form of
 * another.
 */
final class CsrfToken {

    static final String FIELD = "stamp";
    private static final String COOKIE = "metasched-form";
    private static final int COOKIE_BYTES = 18;
    private static final SecureRandom RANDOM = new SecureRandom();

    private CsrfToken() {}

    /** The stamp for a form of the subject. Sends the cookie if the browser has none. */
    static String of(HttpServletRequest request, HttpServletResponse response, Subject subject) {
        return stamp(cookie(request).orElseGet(() -> fresh(request, response)), subject);
    }

    private static String fresh(HttpServletRequest request, HttpServletResponse response) {
        String value = random(COOKIE_BYTES);
        setCookie(request, response, COOKIE, value);
        return value;
    }

    static String random(int byteCount) {
        byte[] bytes = new byte[byteCount];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Whether a form has the stamp for its cookie and the subject, and comes from a page of this server. */
    static boolean isRight(HttpServletRequest request, Subject subject) {
        String sent = Optional.ofNullable(request.getParameter(FIELD)).orElse("");
        return isFromHere(request)
                && cookie(request)
                        .filter(c -> MessageDigest.isEqual(
                                stamp(c, subject).getBytes(StandardCharsets.UTF_8),
                                sent.getBytes(StandardCharsets.UTF_8)))
                        .isPresent();
    }

    /** Whether the request comes from a page of this server, as far as the browser tells. */
    static boolean isFromHere(HttpServletRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        String origin = request.getHeader("Origin");
        return (site == null || site.equals("same-origin")) && (origin == null || isOwn(origin, request));
    }

    /** Whether an origin is this server; {@code localhost} stands for the loopback address by which the listener knows itself. */
    private static boolean isOwn(String origin, HttpServletRequest request) {
        String own = request.getRequestURL().toString();
        return Stream.of(origin, origin.replace("//localhost", "//127.0.0.1"), origin.replace("//localhost", "//[::1]"))
                .anyMatch(o -> own.startsWith(o + URI.create(own).getRawPath()));
    }

    /** Sets a cookie for this session of the browser, for the console only, out of reach of scripts and of other sites. An empty value deletes it. */
    static void setCookie(HttpServletRequest request, HttpServletResponse response, String name, String value) {
        setCookie(request, response, name, value, "Strict");
    }

    /** @param sameSite Strict, or Lax for a cookie that the browser is to send when another site leads here */
    static void setCookie(
            HttpServletRequest request, HttpServletResponse response, String name, String value, String sameSite) {
        response.addHeader(
                "Set-Cookie",
                name + "=" + value + "; Path=" + request.getContextPath() + "/console; HttpOnly; SameSite=" + sameSite
                        + (value.isEmpty() ? "; Max-Age=0" : "") + (request.isSecure() ? "; Secure" : ""));
    }

    private static Optional<String> cookie(HttpServletRequest request) {
        return cookie(request, COOKIE).filter(value -> value.matches("[A-Za-z0-9_-]{" + COOKIE_BYTES * 4 / 3 + "}"));
    }

    static Optional<String> cookie(HttpServletRequest request, String name) {
        return Arrays.stream(Optional.ofNullable(request.getCookies()).orElse(new Cookie[0]))
                .filter(c -> c.getName().equals(name))
                .map(Cookie::getValue)
                .findFirst();
    }

    private static String stamp(String cookie, Subject subject) {
        byte[] key = cookie.getBytes(StandardCharsets.UTF_8);
        return Base64.getUrlEncoder().encodeToString(KeyedDigest.of(key, subject.toString()));
    }
}
