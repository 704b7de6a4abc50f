package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementEvent;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.CompensationAssessment;
import org.metasched.agreement.GuaranteeState;

/** GuaranteeEvaluator with conditions, objectives and values of the initiator's own. The slot is from 09:00 to 10:00, it is 08:00. */
class GuaranteesWireTest {

    private static final String NODES = "Nodes &gt;= AgreedNodes";

    private final WsagServer responder = new WsagServer();

    @AfterEach
    void stop() {
        responder.close();
    }

    @Test
    void anObjectiveIsJudgedAtEachLookWhileItsConditionHolds() throws Exception {
        var made = made(guarantee("ENOUGH", "Now &gt;= Start", NODES, ""));

        assertThat(state(made)).as("before the slot").isEqualTo(GuaranteeState.NOT_DETERMINED);
        responder.grid.clock.advance(Duration.ofMinutes(61));
        assertThat(state(made)).isEqualTo(GuaranteeState.FULFILLED);
        responder.grid.at("fzj").loseNodes("n1");
        assertThat(state(made)).isEqualTo(GuaranteeState.VIOLATED);
        responder.grid.at("fzj").loseNodes();
        assertThat(state(made)).isEqualTo(GuaranteeState.FULFILLED);
    }

    @Test
    void aPromiseCoversTheServicesInItsScopeOnly() throws Exception {
        var made = made(
                scoped("ENOUGH", "OTHER"),
                m -> m.replace("GROUND\" wsag:ServiceName=\"META-JOB", "GROUND\" wsag:ServiceName=\"OTHER"));

        responder.grid.at("fzj").loseNodes("n1");
        assertThat(state(made)).isEqualTo(GuaranteeState.FULFILLED);
        responder.grid.at("scai").loseNodes("n1");
        assertThat(state(made)).isEqualTo(GuaranteeState.VIOLATED);
    }

    @Test
    void aScopeNamesAServiceOfTheOfferAndNothingInside() throws Exception {
        refused(scoped("G", "NONE"), "Guarantee term G", "the ServiceScope (NONE)", "[META-JOB]");
        refused(
                scoped("G", "META-JOB").replace("META-JOB\"/>", "META-JOB\"><x xmlns='urn:x'/></wsag:ServiceScope>"),
                "Guarantee term G",
                "content of a ServiceScope");
    }

    @Test
    void onlyTheGuaranteesOfTheBranchThatWasAgreedAreAssessed() throws Exception {
        String penalty = value("Penalty", "<wsag:TimeInterval>PT10M</wsag:TimeInterval>", "80");
        var made = made(
                guarantee("OUTSIDE", "", NODES, penalty)
                        + scoped("OF-OTHER", "OTHER")
                                .replace("<wsag:BusinessValueList>", "<wsag:BusinessValueList>" + penalty),
                m -> {
                    String ground = m.replaceAll("(?s).*(<wsag:Serv[^>]*\"GROUND.*?</wsag:Serv[^>]*>).*", "$1");
                    return m.replace(
                            ground,
                            "<wsag:ExactlyOne><wsag:All>" + ground + guarantee("CHOSEN", "", NODES, penalty)
                                    + "</wsag:All><wsag:All>"
                                    + ground.replace("GROUND", "ELSE").replace("META-JOB", "OTHER")
                                    + guarantee("NOT-CHOSEN", "", "Nodes &gt; 100", penalty)
                                    + "</wsag:All></wsag:ExactlyOne>");
                });
        responder.grid.at("fzj").loseNodes("n1");
        lookAt(made, 61);
        responder.grid.at("fzj").loseNodes();
        lookAt(made, 75);

        assertThat(stored(made).guarantees())
                .containsEntry("OUTSIDE", GuaranteeState.FULFILLED)
                .containsEntry("CHOSEN", GuaranteeState.FULFILLED)
                .containsEntry("NOT-CHOSEN", GuaranteeState.NOT_DETERMINED)
                .containsEntry("OF-OTHER", GuaranteeState.NOT_DETERMINED);
        assertThat(stored(made).compensations()).extracting(Map.Entry::getKey).containsExactly("CHOSEN", "OUTSIDE");
        assertThat(stored(made).assessments())
                .extracting(CompensationAssessment::total)
                .containsExactly(80.0, 80.0);
    }

    @Test
    void noMoreIntervalsCountThanTheSlotHas() throws Exception {
        var made = made(guarantee(
                "NEVER", "", "Nodes &gt; 100", value("Penalty", "<wsag:TimeInterval>PT25M</wsag:TimeInterval>", "1")));

        lookAt(made, 1, 10, 40, 59, 61, 86, 111, 121, 122);

        assertThat(stored(made).state()).isEqualTo(AgreementState.COMPLETE);
        assertThat(stored(made).assessments())
                .extracting(CompensationAssessment::times)
                .containsExactly(3);
    }

    @Test
    void aPenaltyIsDueOnceForEachIntervalWithAViolationAndARewardForEachWithoutOne() throws Exception {
        var made = made(guarantee(
                "ENOUGH",
                "Now &gt;= Start",
                NODES,
                value("Penalty", "<wsag:TimeInterval>PT10M</wsag:TimeInterval>", "5 * LostNodes + 0.5")
                        + value("Reward", "<wsag:TimeInterval>PT10M</wsag:TimeInterval>", "1")));
        // The first interval is whole, the second and third see a loss, the second twice; the agreement ends in the
        // fourth.
        lookAt(made, 61, 65);
        responder.grid.at("fzj").loseNodes("n1");
        lookAt(made, 71, 75, 79, 81);
        responder.grid.at("fzj").loseNodes();
        lookAt(made, 85, 91);

        responder.agreements.end(made.id(), "no longer needed");

        assertThat(stored(made).assessments())
                .extracting(CompensationAssessment::times, CompensationAssessment::total)
                .containsExactly(tuple(2, 11.0), tuple(2, 2.0));
        assertThat(responder.agreements.history().history(made.id()))
                .filteredOn(event -> event.kind() == AgreementEvent.Kind.COMPENSATION)
                .extracting(AgreementEvent::what)
                .containsExactly(
                        "ENOUGH: reward of 1.0 EUR, 1 so far, 1.0 in all",
                        "ENOUGH: penalty of 5.5 EUR, 1 so far, 5.5 in all",
                        "ENOUGH: penalty of 5.5 EUR, 2 so far, 11.0 in all",
                        "ENOUGH: reward of 1.0 EUR, 2 so far, 2.0 in all");
        assertThat(responder.post("Agreement/" + made.id(), DOCUMENT).body())
                .contains("kind=\"PENALTY\"", "times=\"2\"", "total=\"11.0\"", "unit=\"EUR\"");
    }

    @Test
    void anIntervalIsCountedInAssessmentsThatTold() throws Exception {
        var made = made(
                guarantee("ENOUGH", "Now &gt;= Start", NODES, value("Penalty", "<wsag:Count>3</wsag:Count>", "7")));
        lookAt(made, 1, 2, 3, 4, 61, 62);
        responder.grid.at("scai").loseNodes("n1");
        lookAt(made, 63);
        responder.grid.at("scai").loseNodes();

        assertThat(stored(made).assessments())
                .extracting(CompensationAssessment::total)
                .containsExactly(7.0);
        lookAt(made, 64, 65, 66, 67);
        assertThat(stored(made).assessments())
                .extracting(CompensationAssessment::total)
                .containsExactly(7.0);
    }

    @Test
    void aLossThatEndsTheAgreementIsPaidFor() throws Exception {
        var made = made(guarantee(
                "KEPT", "", "LostParts == 0", value("Penalty", "<wsag:TimeInterval>P1D</wsag:TimeInterval>", "100")));

        responder.grid.at("scai").loses(made.commitments().get(1).reservation().key());
        responder.monitor.poll();

        assertThat(stored(made).state()).isEqualTo(AgreementState.TERMINATED);
        assertThat(stored(made).assessments())
                .extracting(CompensationAssessment::total)
                .containsExactly(100.0);
    }

    @Test
    void aSiteThatDoesNotAnswerCanBreakAPromiseButNotTheAgreement() throws Exception {
        var made = made(guarantee("REACHABLE", "", "SilentParts == 0", ""));
        responder.grid.at("scai").down(true);

        assertThat(state(made)).isEqualTo(GuaranteeState.VIOLATED);

        responder.grid.at("scai").down(false);
        assertThat(state(made)).isEqualTo(GuaranteeState.FULFILLED);
    }

    @Test
    void whatCannotBeJudgedIsRefusedWithItsReason() throws Exception {
        refused(
                guarantee("G", "", "Nodes &gt;", ""),
                "the CustomServiceLevel",
                "is not a ClassAd expression",
                "line 1");
        refused(guarantee("G", "", "Nodes &gt;= Knots", ""), "speaks of (Knots)", "AgreedNodes");
        refused(guarantee("G", "", "Nodes + 1", ""), "must be true or false; it is 2");
        refused(guarantee("G", "\"yes\"", NODES, ""), "the QualifyingCondition", "must be true or false");
        refused(
                guarantee("G", "", NODES, value("Reward", "<wsag:Count>1</wsag:Count>", "Nodes &gt; 1")),
                "the ValueExpression",
                "must be a number; it is false");
        refused(
                guarantee("G", "", NODES, value("Reward", "<wsag:TimeInterval>PT0S</wsag:TimeInterval>", "1")),
                "Guarantee term G: the AssessmentInterval (PT0S)",
                "at least a second");
        refused(
                guarantee("G", "", NODES, value("Reward", "<wsag:TimeInterval>P1M</wsag:TimeInterval>", "1")),
                "AssessmentInterval (P1M)");
        refused(
                guarantee("G", "", NODES, value("Reward", "<wsag:TimeInterval>PT0.5S</wsag:TimeInterval>", "1")),
                "Guarantee term G: ",
                "(PT0.5S)");
        refused(guarantee("G", "", "<x xmlns=\"urn:x\"/>", ""), "must hold a ClassAd expression");
    }

    /** An expression of 4 kB with the value of a variable at each letter could fill the memory, and take hours to read. */
    @Test
    void whatVariablesAddToExpressionsIsBounded() throws Exception {
        String one = variables(1) + guarantee("G", "", "V0" + " + V0".repeat(800), "");
        refused(one, "with the values of its variables; at most 16384");
        refused(
                variables(65)
                        + guarantee(
                                "G",
                                "",
                                IntStream.range(0, 65).mapToObj(i -> "V" + i).collect(Collectors.joining(" + ")),
                                ""),
                "more than 64 variables");
    }

    @Test
    void theNameOfAFunctionHasNoVariableInIt() throws Exception {
        String objective = "int(Parts) == min ({2, 3}) &amp;&amp; size(in) &gt; 0";
        var made = made(variables("i", "in", "int", "mi", "min", "siz") + guarantee("SMALL", "", objective, ""));

        assertThat(state(made)).isEqualTo(GuaranteeState.FULFILLED);
    }

    private static String variables(int count) {
        return variables(IntStream.range(0, count).mapToObj(i -> "V" + i).toArray(String[]::new));
    }

    private static String variables(String... names) {
        return Stream.of(names)
                .map(name -> "<wsag:Variable wsag:Name=\"" + name + "\" wsag:Metric=\"xs:string\"><wsag:Location>"
                        + "//wsag:ServiceProvider</wsag:Location></wsag:Variable>")
                .collect(Collectors.joining(
                        "",
                        "<wsag:ServiceProperties wsag:Name=\"P\" wsag:ServiceName=\"META-JOB\"><wsag:VariableSet>",
                        "</wsag:VariableSet></wsag:ServiceProperties>"));
    }

    private void refused(String guarantee, String... words) throws Exception {
        assertThat(responder.post("AgreementFactory", message(guarantee)).body())
                .contains("OFFER_INVALID")
                .contains(words);
        assertThat(responder.grid.heldEverywhere()).isZero();
    }

    private static final String DOCUMENT = "<s:Envelope xmlns:s=\"http://www.w3.org/2003/05/soap-envelope\"><s:Body>"
            + "<p:GetResourcePropertyDocument xmlns:p=\"http://docs.oasis-open.org/wsrf/rp-2\"/></s:Body></s:Envelope>";

    private static String guarantee(String name, String condition, String objective, String values) {
        return "<wsag:GuaranteeTerm wsag:Name=\"" + name + "\" wsag:Obligated=\"ServiceProvider\">"
                + (condition.isEmpty() ? "" : "<wsag:QualifyingCondition>" + condition + "</wsag:QualifyingCondition>")
                + "<wsag:ServiceLevelObjective><wsag:CustomServiceLevel>" + objective
                + "</wsag:CustomServiceLevel></wsag:ServiceLevelObjective><wsag:BusinessValueList>" + values
                + "</wsag:BusinessValueList></wsag:GuaranteeTerm>";
    }

    private static String value(String kind, String interval, String expression) {
        return "<wsag:" + kind + "><wsag:AssessmentInterval>" + interval
                + "</wsag:AssessmentInterval><wsag:ValueUnit>EUR</wsag:ValueUnit><wsag:ValueExpression>" + expression
                + "</wsag:ValueExpression></wsag:" + kind + ">";
    }

    private static String scoped(String name, String service) {
        return guarantee(name, "", NODES, "")
                .replace(
                        "<wsag:ServiceLevelObjective>",
                        "<wsag:ServiceScope wsag:ServiceName=\"" + service + "\"/><wsag:ServiceLevelObjective>");
    }

    private static String message(String guarantee) throws Exception {
        return WsagServer.golden("create-agreement.soap12.xml").replace("</wsag:All>", guarantee + "</wsag:All>");
    }

    private Agreement made(String guarantee) throws Exception {
        return made(guarantee, message -> message);
    }

    private Agreement made(String guarantee, UnaryOperator<String> change) throws Exception {
        var answer = responder.post("AgreementFactory", change.apply(message(guarantee)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return responder
                .agreements
                .newest(Set.of(AgreementState.OBSERVED), Optional.empty(), 2)
                .get(0);
    }

    private Agreement stored(Agreement agreement) {
        return responder.agreements.find(agreement.id()).orElseThrow();
    }

    private GuaranteeState state(Agreement agreement) throws Exception {
        responder.monitor.poll();
        return List.copyOf(stored(agreement).guarantees().values()).get(0);
    }

    /** One look at each of these minutes after 08:00. */
    private void lookAt(Agreement agreement, int... minutes) throws Exception {
        for (int minute : minutes) {
            var when = agreement.created().plus(Duration.ofMinutes(minute));
            responder.grid.clock.advance(Duration.between(responder.grid.clock.instant(), when));
            responder.monitor.poll();
        }
    }
}
