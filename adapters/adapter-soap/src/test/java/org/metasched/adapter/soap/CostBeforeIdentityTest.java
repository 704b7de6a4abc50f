package org.metasched.adapter.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.apache.cxf.binding.soap.Soap12;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.bus.managers.PhaseManagerImpl;
import org.apache.cxf.interceptor.StaxInInterceptor;
import org.apache.cxf.message.ExchangeImpl;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.PhaseInterceptorChain;
import org.apache.cxf.staxutils.StaxUtils;
import org.apache.wss4j.common.WSS4JConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a stranger's message costs until it is known who sent it: processor time grows with its bytes, whatever its shape. */
class CostBeforeIdentityTest {

    private static final int MEGABYTE = 1 << 20;
    private static final long BOUND_PER_MB = 200;
    /** Milliseconds by which two measurements of the same may differ. */
    private static final long NOISE = 100;

    private static final int RANDOM_MESSAGES = 500;

    /** Equal by {@link String#hashCode}. */
    private static String equalHash(int i) {
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
        DECLARED("<s:Header xmlns:a='urn:a' xmlns:b='urn:b'><b:c a:d='e'>", "</b:c></s:Header><s:Body/>"),
        BESIDE_AN_ELEMENT("<s:Header><o><o/>", "</o></s:Header><s:Body/>");

        private final String before;
        private final String after;

        Place(String before, String after) {
            this.before = before;
            this.after = after;
        }

        byte[] around(String content) {
            return ("<s:Envelope xmlns:s='" + Soap12.getInstance().getNamespace() + "'>" + before + content + after
                            + "</s:Envelope>")
                    .getBytes(StandardCharsets.UTF_8);
        }
    }

    static Stream<Arguments> messages() {
        return Stream.of(Place.values())
                .flatMap(place -> Stream.concat(shapes().keySet().stream(), tags().keySet().stream())
                        .map(shape -> Arguments.of(place, shape)));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void costsWhatItsBytesCost(Place place, String shape) {
        cost(message(place, shape, 1 << 12));
        double quarter = cost(message(place, shape, MEGABYTE / 4));
        double whole = cost(message(place, shape, MEGABYTE));

        System.out.printf("%.1f ms per MB: %s, %s%n", whole, place, shape);
        assertThat(whole).as("milliseconds").isLessThan(BOUND_PER_MB).isLessThan(2 * 4 * quarter + NOISE);
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
            assertThat(cost(bytes))
                    .as("milliseconds, seed %d, turn %d", seed, turn)
                    .isLessThan(NOISE);
        }
    }

    private static byte[] message(Place place, String shape, int bytes) {
        var tag = tags().get(shape);
        var text = new StringBuilder(tag == null ? "" : "<x");
        for (int i = 0; text.length() < bytes; i++) {
            text.append((tag == null ? shapes().get(shape) : tag).apply(i));
        }
        return place.around(tag == null ? text.toString() : text.append("/>").toString());
    }

    /** Milliseconds of this thread until the message is read, or refused. */
    private static double cost(byte[] text) {
        var message = new SoapMessage(Soap12.getInstance());
        var exchange = new ExchangeImpl();
        message.setExchange(exchange);
        exchange.setInMessage(message);
        message.setContent(InputStream.class, new ByteArrayInputStream(text));
        message.put(Message.CONTENT_TYPE, "application/soap+xml");
        message.putAll(MessageLimits.PROPERTIES);
        message.setInterceptorChain(new PhaseInterceptorChain(new PhaseManagerImpl().getInPhases()));
        var threads = ManagementFactory.getThreadMXBean();
        long begin = threads.getCurrentThreadCpuTime();
        try {
            new WrittenIn().handleMessage(message);
            new StaxInInterceptor().handleMessage(message);
            new BoundedNames().handleMessage(message);
            StaxUtils.read(message.getContent(XMLStreamReader.class));
        } catch (XMLStreamException | RuntimeException e) {
            // Refused: what counts is what it cost.
        }
        return (threads.getCurrentThreadCpuTime() - begin) / 1e6;
    }
}
