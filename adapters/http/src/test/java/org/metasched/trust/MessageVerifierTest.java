package org.metasched.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.trust.Subject.Kind;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Signed messages, and what attackers make of them. */
class MessageVerifierTest {

    private static final String HERE = "https://grid.example.org/services/Agreement/7";

    @TempDir
    private static Path folder;

    private static ChainVerifier chains;
    private static Signing alice;
    private static Signing stranger;
    private static MessageVerifier verifier;

    @BeforeAll
    static void make() throws Exception {
        var authority = new DemoAuthority(folder.resolve("ours"), Clock.systemUTC());
        chains = new ChainVerifier(authority.directory());
        alice = new Signing(authority.member("alice"));
        stranger = new Signing(new DemoAuthority(folder.resolve("theirs"), Clock.systemUTC()).member("alice"));
        Path file = folder.resolve("passwords");
        Files.writeString(file, "# who\n" + PasswordFile.line("carol", "secret", 100_000) + "\n");
        verifier = verifier(Clock.systemUTC());
    }

    private static MessageVerifier verifier(Clock clock) {
        var started = startedTenMinutesAgo(clock);
        return new MessageVerifier(
                Optional.of(chains),
                Optional.of(new PasswordFile(folder.resolve("passwords"))),
                ReplayCache.inThisProcess(started),
                started);
    }

    /** Ten minutes ago when it is read first, so that what begins with it has been there for a while. */
    private static Clock startedTenMinutesAgo(Clock now) {
        var first = new AtomicBoolean(true);
        InstantSource source =
                () -> first.getAndSet(false) ? now.instant().minus(Duration.ofMinutes(10)) : now.instant();
        return source.withZone(ZoneOffset.UTC);
    }

    @AfterAll
    static void stop() {
        chains.close();
    }

    private static Optional<Subject> verify(Document message) throws UntrustedException {
        return verify(verifier, message, true);
    }

    private static Optional<Subject> verify(MessageVerifier by, Document message, boolean secure)
            throws UntrustedException {
        return Signing.verify(by, message, secure, HERE);
    }

    @Test
    void theSignerIsTheSubject() throws Exception {
        assertThat(verify(alice.sign(Signing.message(HERE)))).hasValueSatisfying(s -> {
            assertThat(s.name()).isEqualTo(DemoAuthority.subjectOf("alice"));
            assertThat(s.kind()).isEqualTo(Kind.CERTIFICATE);
        });
        assertThat(verify(Signing.message(HERE))).isEmpty();
    }

    /** Published as signature wrapping: the signed element lives on somewhere, another stands in its place. */
    static Stream<Arguments> wrappings() {
        return Stream.of(
                wrapping("1 signed body in a wrapper in the Header, another with another Id", m -> {
                    var signed = Signing.takeBody(m);
                    Signing.wrapper(m).appendChild(signed);
                    Signing.evilBody(m, "other");
                }),
                wrapping("2 the same, and the other has the same Id", m -> {
                    var signed = Signing.takeBody(m);
                    Signing.wrapper(m).appendChild(signed);
                    Signing.evilBody(m, Signing.id(signed));
                }),
                wrapping("3 the same, and the other has no Id", m -> {
                    var signed = Signing.takeBody(m);
                    Signing.wrapper(m).appendChild(signed);
                    Signing.evilBody(m, "");
                }),
                wrapping("4 signed body inside the security header", m -> {
                    var signed = Signing.takeBody(m);
                    Signing.first(m, "Security").appendChild(signed);
                    Signing.evilBody(m, "other");
                }),
                wrapping("5 signed body as an Object of the signature", m -> {
                    var signed = Signing.takeBody(m);
                    Element object = m.createElementNS(Signing.DS, "ds:Object");
                    Signing.first(m, "Signature").appendChild(object).appendChild(signed);
                    Signing.evilBody(m, "other");
                }),
                wrapping("6 another body before the signed one", m -> {
                    var signed = Signing.first(m, "Body");
                    var evil = Signing.evilBody(m, "other");
                    m.getDocumentElement().insertBefore(evil, signed);
                }),
                wrapping("7 another body after the signed one", m -> Signing.evilBody(m, "other")),
                wrapping("8 signed body within the other", m -> {
                    var signed = Signing.takeBody(m);
                    Signing.evilBody(m, "other").appendChild(signed);
                }),
                wrapping("9 the whole envelope within another", m -> {
                    var signed = m.getDocumentElement();
                    var outer = m.createElementNS(Signing.SOAP, "s:Envelope");
                    m.replaceChild(outer, signed);
                    var header = outer.appendChild(m.createElementNS(Signing.SOAP, "s:Header"));
                    header.appendChild(signed);
                    outer.appendChild(m.createElementNS(Signing.SOAP, "s:Body"));
                }),
                wrapping("10 a header put aside, another in its place", m -> {
                    var to = Signing.first(m, "To");
                    var evil = (Element) to.cloneNode(true);
                    evil.removeAttributeNS(Signing.WSU, "Id");
                    to.getParentNode().replaceChild(evil, to);
                    Signing.wrapper(m).appendChild(to);
                }),
                wrapping("11 a fresh Timestamp, the signed one put aside", m -> {
                    var stamp = Signing.first(m, "Timestamp");
                    var evil = (Element) stamp.cloneNode(true);
                    evil.setAttributeNS(Signing.WSU, "u:Id", "fresh");
                    stamp.getParentNode().replaceChild(evil, stamp);
                    Signing.wrapper(m).appendChild(stamp);
                }),
                wrapping("12 one header more", m -> Signing.wrapper(m).setTextContent("unsigned")));
    }

    private static Arguments wrapping(String name, Consumer<Document> attack) {
        return Arguments.of(name, attack);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrappings")
    void noWrappingIsTaken(String name, Consumer<Document> attack) throws Exception {
        var message = alice.sign(Signing.message(HERE));
        attack.accept(message);

        refused(Signing.parse(Signing.text(message)), "wrapped|does not cover|stands there twice|not expected");
    }

    static Stream<Arguments> edits() {
        return Stream.of(
                edit("body", t -> t.replace(">pay<", ">pay more<"), "refused"),
                edit("timestamp", t -> t.replaceFirst("(Expires>\\d{3})\\d", "$19"), "refused"),
                edit("action", t -> t.replace("urn:pay", "urn:pax"), "refused"),
                edit(
                        "signature cut out",
                        t -> t.replaceFirst("(?s)<ds:Signature.*</ds:Signature>", ""),
                        "not expected"),
                edit(
                        "certificate cut out",
                        t -> t.replaceFirst("(?s)<wsse:Binary.*</wsse:BinarySecurityToken>", ""),
                        "refused"),
                edit(
                        "reference elsewhere",
                        t -> t.replaceFirst("URI=\"#[^\"]*\"><ds:Tr", "URI=\"http://127.0.0.1:9/x\"><ds:Tr"),
                        "refused"),
                edit(
                        "reference to a file",
                        t -> t.replaceFirst("URI=\"#[^\"]*\"><ds:Tr", "URI=\"file:///etc/passwd\"><ds:Tr"),
                        "refused"),
                edit(
                        "for another",
                        t -> t.replaceFirst("<wsse:Security", "<wsse:Security s:role=\"urn:x\""),
                        "another receiver"),
                edit(
                        "an assertion",
                        t -> t.replaceFirst(
                                "</wsse:Security>",
                                "<a:Assertion xmlns:a=\"urn:oasis:names:tc:SAML:2.0:assertion\"/></wsse:Security>"),
                        "not expected"),
                edit(
                        "two security headers",
                        t -> t.replaceFirst(
                                "</s:Header>", "<wsse:Security xmlns:wsse=\"" + Signing.WSSE + "\"/></s:Header>"),
                        "several security headers"),
                edit(
                        "hmac with the certificate",
                        t -> t.replace("xmldsig-more#rsa-sha256", "xmldsig-more#hmac-sha256"),
                        "refused"));
    }

    private static Arguments edit(String name, UnaryOperator<String> edit, String reason) {
        return Arguments.of(name, edit, reason);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("edits")
    void noChangeIsTaken(String name, UnaryOperator<String> edit, String reason) throws Exception {
        String text = Signing.text(alice.sign(Signing.message(HERE)));
        String changed = edit.apply(text);

        assertThat(changed).isNotEqualTo(text);
        refused(Signing.parse(changed), reason);
    }

    @Test
    void aMessageIsTakenOnce() throws Exception {
        String text = Signing.text(alice.sign(Signing.message(HERE)));

        assertThat(verify(Signing.parse(text))).isPresent();
        refused(Signing.parse(text), "it was sent before");
        var later = Clock.offset(Clock.systemUTC(), Duration.ofSeconds(2));
        var restarted =
                new MessageVerifier(Optional.of(chains), Optional.empty(), ReplayCache.inThisProcess(later), later);
        assertThatThrownBy(() -> verify(restarted, Signing.parse(text), true))
                .as("after a restart")
                .hasMessageContaining("before this server remembers");
    }

    @Test
    void serversThatShareTheirMemoryTakeAMessageOnceBetweenThem() throws Exception {
        var memory = ReplayCache.inThisProcess(startedTenMinutesAgo(Clock.systemUTC()));
        var one = new MessageVerifier(Optional.of(chains), Optional.empty(), memory, Clock.systemUTC());
        var other = new MessageVerifier(Optional.of(chains), Optional.empty(), memory, Clock.systemUTC());
        String text = Signing.text(alice.sign(Signing.message(HERE)));

        assertThat(verify(one, Signing.parse(text), true)).isPresent();
        assertThatThrownBy(() -> verify(other, Signing.parse(text), true))
                .isInstanceOf(UntrustedException.class)
                .hasMessageContaining("was sent before");
    }

    @Test
    void aMessageIsTakenInItsTimeAndAtItsAddress() throws Exception {
        for (int minutes : new int[] {-3, 6}) {
            var then = verifier(Clock.offset(Clock.systemUTC(), Duration.ofMinutes(minutes)));
            assertThatThrownBy(() -> verify(then, alice.sign(Signing.message(HERE)), true))
                    .isInstanceOf(UntrustedException.class);
        }
        var long1 = alice.with(s -> s.lifeSeconds = 86_400).sign(Signing.message(HERE));
        refused(long1, "holds longer");
        refused(alice.sign(Signing.message("https://other.example.org/services/Agreement/7")), "another address");
        refused(alice.with(s -> s.parts = List.of("Body", "Timestamp")).sign(Signing.message(HERE)), "does not cover");
        refused(
                alice.with(s -> s.parts = List.of("Timestamp", "To", "Action")).sign(Signing.message(HERE)),
                "does not cover s:Body");
        refused(alice.with(s -> s.parts = List.of("Body", "To", "Action")).sign(Signing.message(HERE)), "Timestamp");
        refused(alice.with(s -> s.lifeSeconds = 0).sign(Signing.message(HERE)), "refused|Timestamp");
        refused(alice.sign(Signing.message("")), "where it goes");
    }

    @Test
    void weakAlgorithmsAndUnknownSignersAreRefused() throws Exception {
        refused(alice.with(s -> s.signature = Signing.DS + "rsa-sha1").sign(Signing.message(HERE)), "refused");
        refused(alice.with(s -> s.digest = Signing.DS + "sha1").sign(Signing.message(HERE)), "refused");
        refused(
                alice.with(s -> s.canonical = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315")
                        .sign(Signing.message(HERE)),
                "refused");
        refused(alice.with(s -> s.keyIdentifier = 13).sign(Signing.message(HERE)), "refused");
        refused(stranger.sign(Signing.message(HERE)), "not valid");
    }

    @Test
    void aNameWithItsPasswordIsTakenOverTlsAlone() throws Exception {
        assertThat(verify(Signing.withPassword(HERE, "carol", "secret", "#PasswordText")))
                .hasValueSatisfying(s -> {
                    assertThat(s.name()).isEqualTo("carol");
                    assertThat(s.kind()).isEqualTo(Kind.PASSWORD);
                });
        refused(Signing.withPassword(HERE, "carol", "wrong", "#PasswordText"), "password is wrong");
        refused(Signing.withPassword(HERE, "dave", "secret", "#PasswordText"), "password is wrong");
        refused(Signing.withPassword(HERE, "carol", "secret", "#PasswordDigest"), "refused");
        assertThatThrownBy(
                        () -> verify(verifier, Signing.withPassword(HERE, "carol", "secret", "#PasswordText"), false))
                .hasMessageContaining("without TLS");
        assertThatThrownBy(() -> PasswordFile.line("a:b", "x", 1)).hasMessageContaining("a:b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"password.", "password.A.99999999999.x", "password.Y2Fyb2w.99999999999.x", "password.Y2Fyb2w.1.x"
            })
    void aSessionThatIsNotOursIsUntrusted(String session) {
        assertThatThrownBy(() -> verifier.verifySession(session)).isInstanceOf(UntrustedException.class);
    }

    @Test
    @Tag("full")
    void guessersOfPasswordsAreRefusedForAMinuteAndDelayNobodyElse() throws Exception {
        Path file = Files.writeString(folder.resolve("guessed"), PasswordFile.line("carol", "secret", 100_000) + "\n");
        var passwords = new PasswordFile(file);
        Instant now = Instant.EPOCH;
        assertThat(passwords.isRight("carol", "secret", "192.0.2.7", now)).isTrue();
        for (int i = 0; i < 5; i++) {
            assertThat(passwords.isRight("carol", "guess" + i, "192.0.2.8", now))
                    .isFalse();
        }

        assertThat(passwords.isRight("carol", "secret", "192.0.2.9", now)).isTrue();
        Files.writeString(file, PasswordFile.line("carol", "changed", 100_000) + "\n");
        assertThat(passwords.isRight("carol", "changed", "192.0.2.8", now)).isFalse();
        assertThat(passwords.isRight("carol", "changed", "192.0.2.8", now.plusSeconds(61)))
                .isTrue();
        assertThat(passwords.isRight("carol", "secret", "192.0.2.9", now)).isFalse();

        for (int i = 0; i < 20; i++) {
            assertThat(passwords.isRight("name" + i, "guess", "192.0.2.10", now))
                    .isFalse();
        }
        Instant later = now.plusSeconds(400);
        for (int i = 0; i < 20; i++) {
            assertThat(passwords.isRight("name" + i, "guess", "[2001:db8:0:7::" + i + "]", later))
                    .isFalse();
        }
        assertThat(passwords.isRight("carol", "changed", "[2001:db8:0:7:ff::1]", later))
                .as("one line has all these addresses")
                .isFalse();
        assertThat(passwords.isRight("carol", "changed", "[2001:db8:0:8::1]", later))
                .isTrue();
        long begin = System.nanoTime();
        for (int i = 0; i < 10_000; i++) {
            assertThat(passwords.isRight("other" + i, "guess", "192.0.2.10", now))
                    .isFalse();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
    }

    private static void refused(Document message, String reason) {
        assertThatThrownBy(() -> verify(message))
                .isInstanceOf(UntrustedException.class)
                .message()
                .doesNotContain("initialize the xml-security")
                .containsPattern(reason);
    }
}
