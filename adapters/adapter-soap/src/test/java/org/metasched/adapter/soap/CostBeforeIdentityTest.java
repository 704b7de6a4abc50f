package org.metasched.adapter.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.stream.XMLStreamException;
import org.apache.cxf.binding.soap.Soap12;
import org.apache.wss4j.common.WSS4JConstants;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.metasched.trust.UntrustedException;

/** What a stranger's message costs until it is known who sent it: processor time grows with its bytes, whatever its shape. */
class CostBeforeIdentityTest {

    private static final int MEGABYTE = 1 << 20;
    /** By which a reader of text may be ahead. */
    private static final int BUFFERED = 1 << 16;

    /** Milliseconds of the thread's processor time, which other programs of a busy machine do not lengthen. */
    private static final long BOUND_PER_MB = Long.getLong("metasched.cost.bound", 50);
    /** Milliseconds by which two measurements of the same may differ. */
    private static final long NOISE = 100;
    /** Of these the cheapest counts: the others may have compiled code, or have shared their processor. */
    private static final int TRIES = 20;

    private static final int RANDOM_MESSAGES = Integer.getInteger("metasched.cost.messages", 200);

    private static StrangersMessage reading;
    private static boolean isWarm;

    @BeforeAll
    static void open(@TempDir Path folder) throws Exception {
        reading = new StrangersMessage(folder);
    }

    /** Where a cost is held against another one, both are of code that has run. */
    private static void warmUp() {
        if (isWarm) {
            return;
        }
        for (var place : Place.values()) {
            for (String shape : shapes().keySet()) {
                reading.milliseconds(message(place, shape, 1 << 14));
            }
        }
        isWarm = true;
    }

    @AfterAll
    static void close() {
        reading.close();
    }

    /** Equal by {@link String#hashCode}. */
    static String equalHash(int i) {
        return IntStream.range(0, 18)
                .mapToObj(bit -> (i >> bit & 1) == 0 ? "Aa" : "BB")
                .collect(Collectors.joining());
    }

    private static Map<String, IntFunction<String>> shapes() {
        Map<String, IntFunction<String>> shapes = new TreeMap<>();
        shapes.put("elements of one hash", i -> "<" + equalHash(i) + "/>");
        shapes.put("elements of other names", i -> "<n" + i + "/>");
        shapes.put("elements of one bucket", i -> "<a" + (i * 65_536L) + "/>");
        shapes.put("few elements of one hash, often", i -> "<" + equalHash(i % 900) + "/>");
        shapes.put("attributes of one hash", i -> "<a " + equalHash(i) + "='1'/>");
        shapes.put("prefixes of one hash", i -> "<a xmlns:" + equalHash(i) + "='u'/>");
        shapes.put("namespaces of one hash", i -> "<a xmlns='" + equalHash(i) + "'/>");
        shapes.put("ids of one hash", i -> "<a Id='" + equalHash(i) + "'/>");
        shapes.put("instructions of one hash", i -> "<?" + equalHash(i) + " ?>");
        shapes.put("comments", i -> "<!--" + i + "-->");
        shapes.put("character references", i -> "&#65;");
        shapes.put("sections", i -> "<![CDATA[x]]>");
        shapes.put("lines", i -> "\r\n");
        shapes.put("base64", i -> "QUJD");
        shapes.put("numbers", i -> "<a>" + i + "</a>");
        shapes.put("words of entities", i -> "a&lt;b&gt;c&quot;d&apos;e ");
        shapes.put("entities", i -> "&amp;");
        shapes.put("digits", i -> "7");
        shapes.put("escapes", i -> "\\,");
        shapes.put("names of people", i -> "CN=a,");
        shapes.put("references", i -> "<d:Reference xmlns:d='" + WSS4JConstants.SIG_NS + "' URI='#x'/>");
        return shapes;
    }

    private static Map<String, IntFunction<String>> tags() {
        Map<String, IntFunction<String>> tags = new TreeMap<>();
        tags.put("prefixes in one element", i -> " xmlns:p" + i + "='u'");
        tags.put("prefixes of one hash in one element", i -> " xmlns:" + equalHash(i) + "='u'");
        tags.put("attributes in one element", i -> " a" + i + "='u'");
        tags.put("attributes of one hash in one element", i -> " " + equalHash(i) + "='u'");
        tags.put("attribute of many lines", i -> i == 0 ? " a='" : "\n&#65;");
        tags.put("name of many letters", i -> "a");
        return tags;
    }

    private static final String PROFILE =
            "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#X509v3";
    private static final String TOKEN = "<w:BinarySecurityToken u:Id='b' ValueType='" + PROFILE + "' EncodingType='"
            + WSS4JConstants.BASE64_ENCODING + "'>";
    private static final String SIGNATURE_BEGIN = "<d:Signature>";
    private static final String SIGNED =
            "<d:SignedInfo><d:CanonicalizationMethod Algorithm='" + WSS4JConstants.C14N_EXCL_OMIT_COMMENTS
                    + "'/><d:SignatureMethod Algorithm='http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'/><d:Reference URI='#b'>"
                    + "<d:DigestMethod Algorithm='" + WSS4JConstants.SHA256
                    + "'/><d:DigestValue>AAAA</d:DigestValue></d:Reference>"
                    + "</d:SignedInfo><d:SignatureValue>AAAA</d:SignatureValue>";
    private static final String SIGNATURE_END = "<d:KeyInfo><w:SecurityTokenReference><w:Reference URI='#b' ValueType='"
            + PROFILE + "'/></w:SecurityTokenReference></d:KeyInfo></d:Signature>";

    /** Where in a message a shape stands. */
    private enum Place {
        HEADER("<s:Header>", "</s:Header><s:Body/>"),
        BODY("<s:Body><o>", "</o></s:Body>"),
        SECURITY(
                "<s:Header><w:Security xmlns:w='" + WSS4JConstants.WSSE_NS + "'>", "</w:Security></s:Header><s:Body/>"),
        SIGNATURE(
                "<s:Header><d:Signature xmlns:d='" + WSS4JConstants.SIG_NS + "'><d:SignedInfo>",
                "</d:SignedInfo></d:Signature></s:Header><s:Body/>"),
        DEPTH("<s:Header>" + "<d>".repeat(40), "</d>".repeat(40) + "</s:Header><s:Body/>"),
        AFTER_A_HEADER("<s:Header><a xmlns='urn:a' Id='a1'/>", "</s:Header><s:Body/>"),
        TWO_PARTS("<s:Header/><s:Body/><s:Body>", "</s:Body>"),
        BEHIND_THE_ENVELOPE("<s:Body/></s:Envelope>", ""),
        DECLARED("<s:Header xmlns:a='urn:a' xmlns:b='urn:b'><b:c a:d='e'>", "</b:c></s:Header><s:Body/>"),
        BESIDE_AN_ELEMENT("<s:Header><o><o/>", "</o></s:Header><s:Body/>"),
        CERTIFICATE(TOKEN, "</w:BinarySecurityToken>" + SIGNATURE_BEGIN + SIGNED + SIGNATURE_END),
        SERIAL_NUMBER(
                SIGNATURE_BEGIN + SIGNED + "<d:KeyInfo><w:SecurityTokenReference><d:X509Data><d:X509IssuerSerial>"
                        + "<d:X509IssuerName>CN=a</d:X509IssuerName><d:X509SerialNumber>",
                "</d:X509SerialNumber></d:X509IssuerSerial></d:X509Data></w:SecurityTokenReference></d:KeyInfo></d:Signature>"),
        ISSUER(
                SIGNATURE_BEGIN + SIGNED + "<d:KeyInfo><w:SecurityTokenReference><d:X509Data><d:X509IssuerSerial>"
                        + "<d:X509IssuerName>",
                "</d:X509IssuerName><d:X509SerialNumber>1</d:X509SerialNumber></d:X509IssuerSerial></d:X509Data>"
                        + "</w:SecurityTokenReference></d:KeyInfo></d:Signature>"),
        SIGNED_BY_A_KNOWN_NAME(TOKEN + "KNOWN</w:BinarySecurityToken>" + SIGNATURE_BEGIN, SIGNED + SIGNATURE_END),
        PASSWORD("<w:UsernameToken><w:Username>carol</w:Username><w:Password>", "</w:Password></w:UsernameToken>");

        private final String before;
        private final String after;

        Place(String before, String after) {
            this.before = before;
            this.after = after;
        }

        byte[] around(String content) {
            boolean isToken = ordinal() >= CERTIFICATE.ordinal();
            String open = isToken
                    ? "<s:Header><w:Security xmlns:w='" + WSS4JConstants.WSSE_NS + "' xmlns:u='" + WSS4JConstants.WSU_NS
                            + "' xmlns:d='" + WSS4JConstants.SIG_NS + "'>"
                    : "";
            return ("<s:Envelope xmlns:s='" + Soap12.getInstance().getNamespace() + "'>" + open
                            + before.replace("KNOWN", reading.certificate) + content + after
                            + (isToken ? "</w:Security></s:Header><s:Body/>" : "") + "</s:Envelope>")
                    .getBytes(StandardCharsets.UTF_8);
        }
    }

    static Stream<Arguments> messages() {
        return Stream.of(Place.values())
                .flatMap(place -> Stream.concat(shapes().keySet().stream(), tags().keySet().stream())
                        .map(shape -> Arguments.of(place, shape)));
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("messages")
    void costsWhatItsBytesCost(Place place, String shape) {
        warmUp();
        double eighth = reading.milliseconds(message(place, shape, MEGABYTE / 8));
        double whole =
                2 * cheapest(message(place, shape, MEGABYTE / 2), Math.min(BOUND_PER_MB, 2 * 8 * eighth + NOISE) / 2);

        System.out.printf("%.1f ms per MB: %s, %s%n", whole, place, shape);
        assertThat(whole)
                .as("milliseconds")
                .isLessThanOrEqualTo(BOUND_PER_MB)
                .isLessThanOrEqualTo(2 * 8 * eighth + NOISE);
    }

    /** The proofs of a header without any, with a certificate that nobody issued, and with a wrong password. */
    static Stream<String> refusedHeaders() {
        return Stream.of(
                "",
                "<w:Security xmlns:w='" + WSS4JConstants.WSSE_NS + "' xmlns:d='" + WSS4JConstants.SIG_NS + "'>"
                        + TOKEN.replace(" u:Id='b'", "")
                        + "AAAA</w:BinarySecurityToken>" + SIGNATURE_BEGIN + SIGNED + SIGNATURE_END + "</w:Security>",
                "<w:Security xmlns:w='" + WSS4JConstants.WSSE_NS + "'><w:UsernameToken><w:Username>carol</w:Username>"
                        + "<w:Password Type='" + WSS4JConstants.PASSWORD_TEXT
                        + "'>guess</w:Password></w:UsernameToken></w:Security>");
    }

    @ParameterizedTest
    @MethodSource("refusedHeaders")
    void theBodyOfOneWhoProvesNothingIsNotRead(String header) {
        byte[] bytes = ("<s:Envelope xmlns:s='" + Soap12.getInstance().getNamespace() + "'><s:Header>" + header
                        + "</s:Header><s:Body>" + "<a/>".repeat(MEGABYTE / 4) + "</s:Body></s:Envelope>")
                .getBytes(StandardCharsets.UTF_8);
        var stream = new ByteArrayInputStream(bytes);

        assertThatThrownBy(() -> reading.read(stream)).hasCauseInstanceOf(UntrustedException.class);
        assertThat(stream.available()).isGreaterThan(MEGABYTE - BUFFERED);
    }

    @Test
    void aHeaderThatDoesNotEndIsNotReadOn() {
        var stream = new ByteArrayInputStream(message(Place.HEADER, "numbers", MEGABYTE));

        assertThatThrownBy(() -> reading.read(stream))
                .isInstanceOf(XMLStreamException.class)
                .hasMessageContaining("before its Body");
        assertThat(stream.available()).isGreaterThan(MEGABYTE / 2);
    }

    /** Pieces of all shapes at any place, nested and cut anyhow, with bytes changed: what no shape was thought of for. */
    @Test
    void randomMessagesCostWhatTheirBytesCost() {
        long seed = Long.getLong("metasched.seed", System.nanoTime());
        var random = new Random(seed);
        var pieces = List.copyOf(shapes().values());
        for (int turn = 0; turn < RANDOM_MESSAGES; turn++) {
            var text = new StringBuilder();
            while (text.length() < MEGABYTE / 16) {
                var piece = pieces.get(random.nextInt(pieces.size()));
                int open = random.nextInt(30);
                text.append("<a>".repeat(open));
                for (int i = random.nextInt(200); i > 0; i--) {
                    text.append(piece.apply(random.nextInt(1 << 18)));
                }
                text.append("</a>".repeat(open));
            }
            byte[] bytes = Place.values()[random.nextInt(Place.values().length)].around(text.toString());
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            assertThat(cheapest(bytes, NOISE))
                    .as("milliseconds, seed %d, turn %d", seed, turn)
                    .isLessThan(NOISE);
        }
    }

    private static double cheapest(byte[] message, double enough) {
        double least = Double.MAX_VALUE;
        for (int i = 0; i < TRIES && least >= enough; i++) {
            least = Math.min(least, reading.milliseconds(message));
        }
        return least;
    }

    private static byte[] message(Place place, String shape, int bytes) {
        var tag = tags().get(shape);
        var text = new StringBuilder(tag == null ? "" : "<x");
        for (int i = 0; text.length() < bytes; i++) {
            text.append((tag == null ? shapes().get(shape) : tag).apply(i));
        }
        return place.around(tag == null ? text.toString() : text.append("/>").toString());
    }
}
