package org.metasched.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.Need;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.CreationOutcome;
import org.metasched.agreement.making.OfferAdvice;
import org.metasched.agreement.making.OfferService.Decision;
import org.metasched.client.OfferWriter;
import org.metasched.fakes.TestGrid;
import org.metasched.negotiation.NegotiationEffort;
import org.metasched.negotiation.StoreUnavailableException;
import org.metasched.overview.NoDocumentOffers;
import org.metasched.trust.Authorizer;
import org.metasched.trust.Subject;

class JsonOffersTest {

    private static final String HOUR = "{\"parts\":[{\"site\":\"fzj\",\"nodes\":2}],\"duration\":\"PT1H\"}";

    @Test
    void aSecondRequestWithTheKeyOfOneThatIsUnderWayIsAConflict() throws Exception {
        var entered = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var threads = Executors.newSingleThreadExecutor();
        try (var grid = new TestGrid().site("fzj", 8)) {
            var started = grid.start();
            var offers = new JsonOffers(started.service, new NoDocumentOffers() {
                @Override
                public CreationOutcome decide(String document, Authorizer.Call call, Decision<CreationOutcome> decision)
                        throws InterruptedException {
                    entered.countDown();
                    assertThat(goOn.await(20, TimeUnit.SECONDS)).isTrue();
                    return new CreationOutcome.Refused(
                            RefusalCode.BUSY, "Too much to do.", Optional.empty(), NegotiationEffort.NONE);
                }
            });
            var body = new OfferBody(ApiServlet.MAPPER.readTree(HOUR));
            var first = threads.submit(() -> offers.decide(request(), body, "CN=alice", started.service::offer));
            assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();

            assertThatThrownBy(() -> offers.decide(request(), body, "CN=alice", started.service::offer))
                    .isInstanceOfSatisfying(ProblemException.class, problem -> {
                        assertThat(problem.status).isEqualTo(409);
                        assertThat(problem.code).isEqualTo("IN_FLIGHT");
                    });

            goOn.countDown();
            assertThatThrownBy(() -> first.get(20, TimeUnit.SECONDS)).hasMessageContaining("Too much to do.");
            assertThatThrownBy(() -> offers.decide(request(), body, "CN=alice", started.service::offer))
                    .isInstanceOfSatisfying(
                            ProblemException.class,
                            problem -> assertThat(problem.code).isEqualTo("BUSY"));
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aRankGoesIntoTheOfferOfAPartThatNamesNoSite() throws Exception {
        String part = "{\"duration\":\"PT1H\",\"parts\":[{\"nodes\":2,\"rank\":\"Memory * 2\"%s}]}";
        var open = new OfferBody(ApiServlet.MAPPER.readTree(part.formatted("")));
        var named = new OfferBody(ApiServlet.MAPPER.readTree(part.formatted(",\"site\":\"fzj\"")));

        assertThat(open.document(TestGrid.TEMPLATE, List::of, "r1", "CN=alice")).contains(">Memory * 2</ms:Rank>");
        assertThatThrownBy(() -> named.document(TestGrid.TEMPLATE, List::of, "r1", "CN=alice"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("its requirements and rank, not both");
    }

    /** An offer over SOAP may have them: as JSON, all parts would get the duration of the first. */
    @Test
    void partsOfOneStageThatDifferInLengthAreNoJson() {
        assertThat(OfferWriter.content("", "", request("s", "s", 1))).isPresent();
        assertThat(OfferWriter.content("", "", request("s", "t", 2))).isPresent();
        assertThat(OfferWriter.content("", "", request("s", "s", 2))).isEmpty();
    }

    /** Stages without lags begin together, and each keeps its length. */
    @Test
    void thePlanOfARequestWithStagesLeadsToOneWithTheSameStages() throws Exception {
        String stages = "{\"stages\":[{\"name\":\"s\",\"duration\":\"PT1H\"},{\"name\":\"t\",\"duration\":\"PT2H\"}],"
                + "\"parts\":[{\"stage\":\"s\",\"site\":\"fzj\",\"nodes\":1},"
                + "{\"stage\":\"t\",\"site\":\"scai\",\"nodes\":1}]}";
        try (var grid = new TestGrid().site("fzj", 8).site("scai", 8)) {
            var started = grid.start();
            var offers = new JsonOffers(started.service, new NoDocumentOffers() {
                @Override
                public OfferAdvice plan(String document, Authorizer.Call call, int most, boolean nearest)
                        throws InterruptedException {
                    return started.service.plan(List.of(request("s", "t", 2)), most);
                }
            });
            var asked = new ApiRequest(
                    request().http(),
                    "",
                    ApiServlet.MAPPER.readTree(stages),
                    request().call());

            var answer =
                    ApiServlet.MAPPER.readTree(offers.plan(asked).orElseThrow().body());

            assertThat(answer.path("plans")).as(answer.toString()).isNotEmpty();
            var again = new OfferBody(answer.at("/plans/0/request"));
            assertThat(again.document(TestGrid.TEMPLATE, List::of, "r1", "CN=alice"))
                    .contains(">60</", ">120</");
        }
    }

    @Test
    void yearsHaveFourDigits() {
        assertThat(WireValues.time("9999-12-31T23:59:59Z", "from")).isNotNull();
        assertThatThrownBy(() -> WireValues.time("+10000-01-01T00:00:00Z", "from"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(+10000-01-01T00:00:00Z)");
    }

    /** A read has no decision and no key. */
    @Test
    void aReadWhileTheDatabaseIsAwaySpeaksOfNoDecision() throws Exception {
        for (boolean isRead : new boolean[] {true, false}) {
            var answer = ApiProblems.guarded(Subject.ANONYMOUS, "/x", isRead, () -> {
                throw new StoreUnavailableException("It is away.", null);
            });

            assertThat(answer.status()).isEqualTo(503);
            assertThat(new String(answer.body(), StandardCharsets.UTF_8).contains("decision"))
                    .isNotEqualTo(isRead);
        }
    }

    private static AgreementRequest request(String firstService, String secondService, int secondHours) {
        var parts = List.of(part("a", firstService, "fzj", 1), part("b", secondService, "scai", secondHours));
        return new AgreementRequest(parts, Optional.empty(), Optional.empty());
    }

    private static RequestedPart part(String term, String service, String site, int hours) {
        var request = new ResourceRequest(new Need.Nodes(1), Duration.ofHours(hours), Optional.empty());
        return new RequestedPart(term, service, Optional.of(new SiteId(site)), request, Optional.empty());
    }

    private static ApiRequest request() {
        var http = (HttpServletRequest) Proxy.newProxyInstance(
                JsonOffersTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (self, method, values) -> method.getName().equals("getHeader") ? "once" : null);
        return new ApiRequest(http, "", ApiServlet.MAPPER.nullNode(), new Authorizer.Call(Subject.ANONYMOUS, "", ""));
    }

    /** The same offer by SOAP, by the command line and by REST has the same pieces. */
    @Test
    void aPartThatMaySplitHasTheDefaultsOfTheSchema() throws Exception {
        var body = new OfferBody(ApiServlet.MAPPER.readTree(
                "{\"parts\":[{\"requirements\":\"true\",\"nodes\":20,\"split\":{}}],\"duration\":\"PT1H\"}"));

        assertThat(body.document(TestGrid.TEMPLATE, List::of, "o1", "CN=alice")).contains("mostPieces=\"8\"");
    }
}
