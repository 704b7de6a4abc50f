package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.metasched.client.xml.XmlNames;

/** Messages with mistakes, made from good ones by chance: none is a mistake of ours, and each fault says whose it is. */
class MutatedMessagesTest {

    private static final int MESSAGES = Integer.getInteger("metasched.mutants", 400);
    private static final Pattern OURS = Pattern.compile(
            "NO_MATCHING_SITE|NO_COMMON_SLOT|PREVIEW_WINDOW_EXCEEDED|RESOURCE_LOST_RACE|ADAPTER_DOWN|ADAPTER_MISCONFIGURED|SCHEDULER_UNREADABLE|BUSY");
    private static final Pattern AGREEMENT = Pattern.compile("services/Agreement/([a-z0-9-]+)<");
    private static final Pattern NEGOTIATION = Pattern.compile("services/Negotiation/([a-z0-9-]+)<");
    private static final String SOAP_12 = "http://www.w3.org/2003/05/soap-envelope";
    private static final String SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/";
    private static final String ITEM =
            "<n:Item wsag:Name='Late' n:Type='Optional'><wsag:Location>//t:StartTime</wsag:Location>"
                    + "<wsag:ItemConstraint><xs:minInclusive xmlns:xs='http://www.w3.org/2001/XMLSchema'"
                    + " value='2026-01-05T12:00:00Z'/></wsag:ItemConstraint></n:Item>";
    private static final Pattern TAG = Pattern.compile("<[^<>?!]+>");
    private static final List<String> ODD = List.of(
            "",
            "\u0000",
            "&#0;",
            "-1",
            "1e308",
            "99999999999999999999",
            "NaN",
            "P9999999999Y",
            "2026-99-99T00:00:00Z",
            "<x/>",
            "]]>",
            "\ud800",
            "a:b",
            "{urn:x}y",
            " ",
            "<!-- -->",
            "xsi:nil=\"true\"",
            "\u202e");

    private record Sent(String service, String text) {}

    @Test
    void everyFaultIsTheSendersOrTruthfullyOurs() throws Exception {
        var random = new Random(20261122);
        try (var responder = new WsagServer()) {
            var good = good(responder);
            var wrong = new ArrayList<String>();
            int faults = 0;
            for (int i = 0; i < MESSAGES; i++) {
                var sent = good.get(random.nextInt(good.size()));
                boolean eleven = random.nextBoolean();
                String text = mutated(eleven ? sent.text.replace(SOAP_12, SOAP_11) : sent.text, random);
                var answer = responder.post(
                        sent.service, text, (eleven ? "text/xml" : "application/soap+xml") + "; charset=utf-8");
                faults += answer.statusCode() == 200 ? 0 : 1;
                if (answer.statusCode() != 200 && !isTruthful(answer)) {
                    wrong.add(i + " to " + sent.service + ":\n" + text + "\n" + answer.statusCode() + " "
                            + answer.body());
                }
            }

            assertThat(wrong).isEmpty();
            assertThat(faults).isGreaterThan(MESSAGES / 2);
        }
    }

    /** The status and the code of the version that is answered in, and no mistake of the sender's is ours or the other way round. */
    private static boolean isTruthful(HttpResponse<String> answer) {
        boolean twelve = answer.body().contains(SOAP_12);
        boolean senders = answer.body().contains(twelve ? ":Sender<" : ":Client<");
        boolean another = answer.body().contains(":VersionMismatch<");
        boolean ours = answer.body().contains(twelve ? ":Receiver<" : ":Server<")
                && OURS.matcher(answer.body()).find();
        return !answer.body().contains("SERVICE_FAILED")
                && ((ours || another) && answer.statusCode() == 500
                        || senders && answer.statusCode() == (twelve ? 400 : 500));
    }

    private static List<Sent> good(WsagServer responder) throws Exception {
        String create = WsagServer.golden("create-agreement.soap12.xml");
        var made = AGREEMENT.matcher(responder.post("AgreementFactory", create).body());
        assertThat(made.find()).isTrue();
        String agreement = "Agreement/" + made.group(1);
        String multiple =
                "<rp:GetMultipleResourceProperties xmlns:rp='http://docs.oasis-open.org/wsrf/rp-2' xmlns:wsag='"
                        + XmlNames.WSAG + "'><rp:ResourceProperty>wsag:Terms</rp:ResourceProperty><rp:ResourceProperty>"
                        + "wsag:AgreementState</rp:ResourceProperty></rp:GetMultipleResourceProperties>";
        String query =
                "<rp:QueryResourceProperties xmlns:rp='http://docs.oasis-open.org/wsrf/rp-2' xmlns:w='" + XmlNames.WSAG
                        + "'><rp:QueryExpression Dialect='http://www.w3.org/TR/1999/REC-xpath-19991116'>"
                        + "//w:ServiceTermState[@w:termName='WATER']/w:State</rp:QueryExpression></rp:QueryResourceProperties>";
        String initiate = ConformanceTest.initiateInput();
        var begun = NEGOTIATION.matcher(
                responder.post("NegotiationFactory", envelope(initiate)).body());
        assertThat(begun.find()).isTrue();
        String negotiation = "Negotiation/" + begun.group(1);
        return List.of(
                new Sent(agreement, envelope(query)),
                new Sent("AgreementFactory", create),
                new Sent("AgreementFactory", create),
                new Sent("NegotiationFactory", addressed(initiate)),
                new Sent(negotiation, addressed(ConformanceTest.negotiateInput("Solicited", "1-CO-ALLOCATION", ITEM))),
                new Sent(negotiation, addressed(ConformanceTest.negotiateInput("Advisory", "1-CO-ALLOCATION", ITEM))),
                new Sent(negotiation, envelope(ConformanceTest.advertiseInput("Rejected", "1-CO-ALLOCATION"))),
                new Sent(negotiation, AgreementOverTheWireTest.property("n:NegotiationOffer")),
                new Sent(negotiation, envelope(query)),
                new Sent(negotiation, envelope("<n:TerminateInput xmlns:n='" + XmlNames.NEGOTIATION + "'/>")),
                new Sent("AgreementFactory", negotiated(create, "NegotiationExtension")),
                new Sent("AgreementFactory", negotiated(create, "RenegotiationExtension")),
                new Sent("AgreementFactory", create.replace("CreateAgreement", "CreatePendingAgreement")),
                new Sent("AgreementFactory", AgreementOverTheWireTest.property("wsag:Template")),
                new Sent(agreement, AgreementOverTheWireTest.property("wsag:AgreementState")),
                new Sent(agreement, envelope(multiple)),
                new Sent(
                        agreement,
                        envelope("<w:TerminateInput xmlns:w='" + XmlNames.WSAG + "'><w:Why/></w:TerminateInput>")),
                new Sent(agreement, envelope("<l:Destroy xmlns:l='" + XmlNames.LIFETIME + "'/>")),
                new Sent(
                        agreement,
                        envelope("<l:SetTerminationTime xmlns:l='" + XmlNames.LIFETIME
                                + "'><l:RequestedTerminationTime>2030-01-01T00:00:00Z</l:RequestedTerminationTime>"
                                + "</l:SetTerminationTime>")));
    }

    static String mutated(String text, Random random) {
        String result = text;
        for (int times = 1 + random.nextInt(2); times > 0; times--) {
            result = once(result, random);
        }
        return result;
    }

    private static String once(String text, Random random) {
        int at = random.nextInt(Math.max(1, text.length()));
        int end = Math.min(text.length(), at + 1 + random.nextInt(40));
        var tags = TAG.matcher(text).results().toList();
        var tag = tags.isEmpty() ? null : tags.get(random.nextInt(tags.size()));
        String odd = ODD.get(random.nextInt(ODD.size()));
        return switch (random.nextInt(9)) {
            case 0 -> text.substring(0, at) + text.substring(end);
            case 1 -> text.substring(0, at);
            case 2 -> text.substring(0, at) + odd + text.substring(at);
            case 3 -> text.substring(0, at) + text.substring(at, end) + text.substring(at);
            case 4 -> tag == null ? odd : text.replace(tag.group(), "");
            case 5 -> tag == null ? odd : text.substring(0, tag.end()) + odd + text.substring(tag.end());
            // The text of an element.
            case 6 -> text.replaceFirst(">[^<>]{1,30}</", java.util.regex.Matcher.quoteReplacement(">" + odd + "</"));
            // A whole element.
            case 7 -> text.replaceFirst("(?s)<([a-z]+:" + name(tag, random) + ")\\b.*?</\\1>", "");
            default -> text.replace(name(tag, random), "Unheard");
        };
    }

    private static String name(java.util.regex.MatchResult tag, Random random) {
        var names = List.of(
                "Body",
                "Terms",
                "Context",
                "All",
                "Exact",
                "TimeConstraint",
                "Header",
                "AgreementOffer",
                "NegotiationOffer",
                "NegotiationOfferContext",
                "State",
                "Item",
                "QueryExpression",
                "Action",
                "MessageID");
        return tag == null ? "x" : names.get(random.nextInt(names.size()));
    }

    private static String negotiated(String create, String extension) {
        return create.replace(
                "</wsag:CreateAgreementInput>",
                "<n:" + extension + " xmlns:n='" + XmlNames.NEGOTIATION
                        + "'><n:NegotiationOfferContext><n:CounterOfferTo>urn:uuid:1</n:CounterOfferTo>"
                        + "<n:Creator>NegotiationInitiator</n:Creator><n:State><n:Acceptable/></n:State>"
                        + "</n:NegotiationOfferContext></n:" + extension + "></wsag:CreateAgreementInput>");
    }

    private static String addressed(String body) {
        return envelope(body)
                .replace(
                        "<s:Body>",
                        "<s:Header><wsa:MessageID xmlns:wsa='" + XmlNames.ADDRESSING
                                + "'>urn:uuid:7</wsa:MessageID></s:Header>" + "<s:Body>");
    }

    private static String envelope(String body) {
        return "<s:Envelope xmlns:s='" + SOAP_12 + "'><s:Body>" + body + "</s:Body></s:Envelope>";
    }
}
