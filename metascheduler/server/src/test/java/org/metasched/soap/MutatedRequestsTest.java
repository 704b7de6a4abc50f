package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.client.xml.XmlNames;
import org.xml.sax.SAXException;

/** Offers with mistakes: one that is accepted is agreed as it reads, by {@link RequestReading} of the message and of the agreement's properties. */
@Tag("full")
class MutatedRequestsTest {

    private static final int MESSAGES = Integer.getInteger("metasched.mutants", 2_000);
    private static final long SEED = Long.getLong("metasched.seed", 20261127L);
    private static final Pattern AGREEMENT = Pattern.compile("services/Agreement/([a-z0-9-]+)<");
    private static final Pattern CLASS_NAME =
            Pattern.compile("\\b(?:java|javax|jakarta|sun|org\\.(?:metasched|apache|w3c|xml|eclipse))\\.[\\w.]+");
    private static final Pattern ELEMENT = Pattern.compile("(?s)<((?:jsdl|wsag|t):(?:HostName|CandidateHosts|Exact"
            + "|LowerBoundedRange|TotalResourceCount|Resources|StartTime|EndTime|Duration|ServiceDescriptionTerm"
            + "|JobDescription|All|TemplateId|AgreementInitiator))\\b[^>]*>.*?</\\1>");
    private static final Pattern TEXT = Pattern.compile(">([^<>\\s][^<>]*)</");
    private static final List<String> VALUES = List.of(
            "1",
            "2",
            "3",
            "02",
            "+2",
            " 2 ",
            "2.0",
            "2e0",
            "2.5",
            "0",
            "-1",
            "INF",
            "64",
            "65",
            "fzj",
            "scai",
            "FZJ",
            "60",
            "2026-01-05T10:00:00Z",
            "2026-01-05T24:00:00Z",
            "2026-01-05T10:00:00",
            "2026-01-05T10:00:00-14:00");
    private static final List<String> ATTRIBUTES = List.of(
            " epsilon='1'",
            " exclusiveBound='true'",
            " exclusiveBound=' 1 '",
            " xsi:nil='true'",
            " xsi:type='jsdl:Exact_Type'",
            " wsag:Name='OTHER'",
            " xmlns:jsdl='urn:other'",
            " xml:base='urn:x'");

    @Test
    void anAcceptedMutantIsAgreedAsItReads() throws Exception {
        var random = new Random(SEED);
        var wrong = new ArrayList<String>();
        int accepted = 0;
        try (var responder = new WsagServer()) {
            String good = WsagServer.golden("create-agreement.soap12.xml")
                    .replace("xmlns:p=", "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xmlns:p=");
            for (int i = 0; i < MESSAGES; i++) {
                String text = good.replace("meta-job-17", "m-" + i);
                for (int times = 1 + random.nextInt(2); times > 0; times--) {
                    text = random.nextInt(3) == 0 ? MutatedMessagesTest.mutated(text, random) : changed(text, random);
                }
                // As it is sent: half of a pair of surrogates has no bytes.
                text = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
                var answer = responder.post("AgreementFactory", text);
                var made = AGREEMENT.matcher(answer.body());
                String finding = "";
                if (answer.body().contains("SERVICE_FAILED")
                        || CLASS_NAME.matcher(answer.body()).find()) {
                    finding = answer.body();
                } else if (answer.statusCode() == 200 && made.find()) {
                    accepted++;
                    finding = difference(responder, text, new AgreementId(made.group(1)));
                    responder.agreements.end(new AgreementId(made.group(1)), "");
                }
                if (!finding.isEmpty()) {
                    wrong.add(i + ": " + finding + "\n" + text);
                }
            }
        }

        String counts = "Mutated requests: " + MESSAGES + ", seed " + SEED + ", accepted " + accepted + ", wrong "
                + wrong.size();
        System.out.println(counts);
        assertThat(wrong.stream().limit(10)).as(counts).isEmpty();
        assertThat(accepted).isBetween(MESSAGES / 20, MESSAGES * 9 / 10);
    }

    /** How what was agreed differs from what the message reads; empty if it does not. */
    private static String difference(WsagServer responder, String message, AgreementId id) throws Exception {
        var agreement = responder.agreements.find(id).orElseThrow();
        String agreed = agreed(agreement);
        try {
            String asked = asked(message);
            String kept = asked(responder.post("Agreement/" + id, DOCUMENT).body());
            return agreed.equals(asked) && asked.equals(kept)
                    ? ""
                    : "asked " + asked + ", agreed " + agreed + ", kept " + kept;
        } catch (RuntimeException | SAXException e) {
            return "agreed " + agreed + ", but " + e;
        }
    }

    private static String asked(String message) throws Exception {
        var request = RequestReading.of(RequestReading.terms(message), Instant.parse("2026-01-05T08:00:00Z"));
        return shown(
                request.parts().toString(),
                request.start(),
                request.length(),
                RequestReading.initiator(RequestReading.parsed(message)));
    }

    private static String agreed(Agreement agreement) {
        var parts = new TreeMap<String, String>();
        agreement
                .commitments()
                .forEach(c -> parts.put(
                        c.term(), c.site() + " " + c.reservation().granted().amount()));
        var slot = agreement.slot().orElseThrow();
        return shown(
                parts.toString(),
                slot.start(),
                slot.length(),
                // XML as a name is opaque.
                agreement.offer().key().initiator().replaceFirst("^<.*", "XML"));
    }

    private static String shown(String parts, Instant start, Duration length, String initiator) {
        return parts + " at " + start + " for " + length + " of " + initiator;
    }

    /** Changes that leave well-formed XML: another value, an attribute, an element twice, left out, or elsewhere. */
    private static String changed(String text, Random random) {
        var elements = ELEMENT.matcher(text).results().toList();
        var texts = TEXT.matcher(text).results().toList();
        if (elements.isEmpty() || texts.isEmpty()) {
            return text;
        }
        var one = elements.get(random.nextInt(elements.size()));
        var other = elements.get(random.nextInt(elements.size()));
        var value = texts.get(random.nextInt(texts.size()));
        String before = text.substring(0, one.start());
        String after = text.substring(one.end());
        String put = VALUES.get(random.nextInt(VALUES.size()));
        return switch (random.nextInt(10)) {
            case 0, 1 -> text.substring(0, value.start(1)) + put + text.substring(value.end(1));
            case 2 -> before + one.group() + one.group() + after;
            case 3 -> before + after;
            case 4 -> before + one.group() + other.group() + after;
            case 5 -> before + other.group() + after;
            case 6 -> {
                String attribute = ATTRIBUTES.get(random.nextInt(ATTRIBUTES.size()));
                yield before
                        + one.group().replaceFirst("^<[\\w:]+", "$0" + Matcher.quoteReplacement(attribute))
                        + after;
            }
            case 7 -> {
                int middle = (value.start(1) + value.end(1)) / 2;
                String odd = List.of("&x;", "<!-- 7 -->", "<?x 7?>", "<![CDATA[7]]>", "&#55;", "<x xmlns='urn:x'>7</x>")
                        .get(random.nextInt(6));
                yield text.substring(0, middle) + odd + text.substring(middle);
            }
            case 8 -> text.replaceFirst("(?s)\\?>", "?><!DOCTYPE x [<!ENTITY x '7'>]>");
            default -> text.replace("'" + XmlNames.JSDL + "'", "'urn:other'").replace(put + "<", put + "1<");
        };
    }

    private static final String DOCUMENT = "<s:Envelope xmlns:s='http://www.w3.org/2003/05/soap-envelope'><s:Body>"
            + "<p:GetResourcePropertyDocument xmlns:p='http://docs.oasis-open.org/wsrf/rp-2'/></s:Body></s:Envelope>";
}
