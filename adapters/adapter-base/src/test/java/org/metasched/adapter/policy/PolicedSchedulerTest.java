package org.metasched.adapter.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Requester;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.settings.YamlSettings;

/** What a site's own rules refuse, in which words, and what they leave. */
class PolicedSchedulerTest {

    private static final Instant NOW = Instant.parse("2030-01-07T10:00:00Z");
    private static final Instant TOMORROW = Instant.parse("2030-01-08T10:00:00Z");
    private static final String ALICE = "/O=Grid/CN=Alice";

    @TempDir
    Path folder;

    private final OpenSite open = new OpenSite(Clock.fixed(NOW, ZoneOffset.UTC), Duration.ofDays(400));

    private LocalScheduler site(String rules) {
        String yaml = "ledger: " + folder.resolve("ledger") + "\nrules:\n" + rules;
        return PolicedScheduler.around(open, YamlSettings.parse("site.yaml", yaml), Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private static ResourceRequest request(String subject, int nodes, Duration length) {
        return new ResourceRequest(new Need.Nodes(nodes), length, Optional.of(new Requester(subject)));
    }

    private static ResourceRequest nodes(int nodes) {
        return request(ALICE, nodes, Duration.ofHours(1));
    }

    private static RequestKey key(String key) {
        return new RequestKey(key);
    }

    @Test
    void allNodesForThreeHundredDaysAreRefusedByTheNameOfTheRule() {
        var site = site("- {name: no hoarding, longest: 2d, most-nodes: 32}\n");
        var greedy = request(ALICE, 64, Duration.ofDays(300));

        assertThatThrownBy(() -> site.reserve(key("k"), greedy, TOMORROW))
                .isInstanceOf(Refused.class)
                .hasMessage("Site open does not allow this: rule no hoarding, most-nodes: 64 nodes are more than 32."
                        + "\nMaybe 32 nodes for PT48H from 2030-01-08T10:00:00Z: the rules allow that.");
        assertThatThrownBy(() -> site.earliestStart(greedy, NOW)).isInstanceOf(Refused.class);
        assertThat(open.made).isEmpty();
    }

    /** Three parts of one offer, each small enough; written in either form, a subject is the same. */
    @Test
    void aSubjectsNodesAreBoundedOverAllItsReservationsAtATime() throws Exception {
        var site = site("- {name: fair, subjects: ['CN=*,O=Grid'], most-nodes: 4, most-nodes-at-a-time: 8}\n");
        site.reserve(key("a"), nodes(4), TOMORROW);
        site.reserve(key("b"), request("CN=Alice,O=Grid", 4, Duration.ofHours(1)), TOMORROW);

        assertThatThrownBy(() -> site.reserve(key("c"), nodes(4), TOMORROW))
                .isInstanceOf(Refused.class)
                .hasMessageContaining(
                        "rule fair, most-nodes-at-a-time: 4 nodes beside 8 that are granted are more than 8")
                .hasMessageContaining("from 2030-01-08T11:00:00Z: the rules allow that");
        assertThat(site.earliestStart(nodes(4), TOMORROW)).contains(TOMORROW.plus(Duration.ofHours(1)));
        site.reserve(key("d"), request("/O=Grid/CN=Bob", 4, Duration.ofHours(1)), TOMORROW);
        assertThatThrownBy(() -> site.reserve(key("e"), request("CN=Carol, O=Grid", 5, Duration.ofHours(1)), TOMORROW))
                .hasMessageContaining("rule fair, most-nodes:");
    }

    /** As a whole, by all its members; also after a restart. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "most-nodes-at-a-time: 8",
                "most-reservations: 2",
                "node-hours-per-month: 8",
                "share: [{most: 8}]"
            })
    void aProjectsHoldingsAreBoundedTogether(String limit) throws Exception {
        String rules = "- {name: fair, projects: [alpha], together: true, " + limit + "}\n";
        try (var site = site(rules)) {
            site.reserve(key("a"), charged(ALICE, "alpha"), TOMORROW);
            site.reserve(key("b"), charged("/O=Grid/CN=Bob", "alpha"), TOMORROW);
        }
        try (var site = site(rules)) {
            assertThatThrownBy(() -> site.reserve(key("c"), charged("/O=Grid/CN=Carol", "alpha"), TOMORROW))
                    .isInstanceOf(Refused.class)
                    .hasMessageContaining("rule fair, " + limit.substring(0, limit.indexOf(':')));
            site.reserve(key("d"), charged(ALICE, "beta"), TOMORROW);
        }
    }

    private static ResourceRequest charged(String subject, String project) {
        var requester = new Requester(subject, List.of(), Optional.of(project));
        return new ResourceRequest(new Need.Nodes(4), Duration.ofHours(1), Optional.of(requester));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"look-ahead: 1h", "node-hours-per-month: 1", "least-notice: 3000d", "most-nodes-at-a-time: 2"})
    void aRuleThatLeavesNoStartIsNamed(String limit) throws Exception {
        var site = site("- {name: tight, " + limit + "}\n");
        String named = "rule tight, " + limit.substring(0, limit.indexOf(':'));

        assertThatThrownBy(() -> site.earliestStart(nodes(4), TOMORROW))
                .isInstanceOf(Refused.class)
                .hasMessageContaining(named);
        assertThatThrownBy(() -> site.windowListing()
                        .orElseThrow()
                        .freeWindows(nodes(4), TimeSlot.of(TOMORROW, Duration.ofHours(5))))
                .isInstanceOf(Refused.class)
                .hasMessageContaining(named);
        assertThat(site.earliestStart(nodes(4), NOW.plus(Duration.ofDays(4000))))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://cms.example.org,CN=7", "CN=Eve/O=Grid,O=Elsewhere"})
    void whatIsNoSubjectOfThatFormIsNotTakenForOne(String subject) throws Exception {
        var site = site("- {name: grid, subjects: ['/O=Elsewhere/CN=Eve/O=Grid', '/CN=7*'], deny: true}\n");

        site.reserve(key("a"), request(subject, 1, Duration.ofHours(1)), TOMORROW);

        assertThat(open.made).hasSize(1);
    }

    /** A simulated site that is killed without a state file forgets what it made; so does a scheduler that lost its spool. */
    @Test
    void whatTheSchedulerForgotCountsNoMore() throws Exception {
        var site = site("- {name: two, most-reservations: 2}\n");
        var first = site.reserve(key("a"), nodes(1), TOMORROW).id();
        var second = site.reserve(key("b"), nodes(1), TOMORROW).id();
        assertThatThrownBy(() -> site.reserve(key("c"), nodes(1), TOMORROW)).hasMessageContaining("2 are held already");
        open.made.clear();

        assertThatThrownBy(() -> site.state(first)).isInstanceOf(UnknownReservation.class);
        open.forgets = true;
        assertThatThrownBy(() -> site.cancel(second)).isInstanceOf(UnknownReservation.class);

        site.reserve(key("c"), nodes(1), TOMORROW);
        site.reserve(key("d"), nodes(1), TOMORROW);
    }

    @Test
    void aRuleConcernsThoseItNames() throws Exception {
        var site = site("- {name: guests, subjects: ['/O=Guests/*'], most-nodes: 2}\n"
                + "- {name: nobody, subjects: ['/O=Evil/CN=*'], deny: true}\n");

        site.reserve(key("a"), nodes(60), TOMORROW);
        assertThatThrownBy(() -> site.reserve(key("b"), request("/O=Guests/CN=Bob", 3, Duration.ofHours(1)), TOMORROW))
                .hasMessageContaining("rule guests, most-nodes");
        assertThatThrownBy(() -> site.reserve(key("c"), request("/O=Evil/CN=Eve", 1, Duration.ofHours(1)), TOMORROW))
                .hasMessageContaining("rule nobody, deny")
                .hasMessageEndingWith("The rules allow nothing near it.");
    }

    @Test
    void aRuleConcernsFurtherUsersAndProjects() throws Exception {
        var site = site("- {name: nobody, subjects: ['/O=Evil/CN=*'], deny: true}\n"
                + "- {name: guests pay little, projects: ['guest-*'], most-nodes: 2}\n"
                + "- {name: known, require: 'Project =!= \"old\" && !member(\"/CN=Dora\", Users)'}\n");

        site.reserve(key("a"), shared("/O=Grid/CN=Bob", "physics"), TOMORROW);
        assertThatThrownBy(() -> site.reserve(key("b"), shared("/O=Evil/CN=Eve", "physics"), TOMORROW))
                .hasMessageContaining("rule nobody, deny");
        assertThatThrownBy(() -> site.reserve(key("b"), shared("/O=Grid/CN=Bob", "guest-7"), TOMORROW))
                .hasMessageContaining("rule guests pay little, most-nodes");
        assertThatThrownBy(() -> site.reserve(key("b"), shared("/O=Grid/CN=Bob", "old"), TOMORROW))
                .hasMessageContaining("rule known, require");
        assertThatThrownBy(() -> site.reserve(key("b"), shared("CN=Dora", "physics"), TOMORROW))
                .hasMessageContaining("rule known, require");
    }

    private static ResourceRequest shared(String user, String project) {
        var who = new Requester(ALICE, List.of(user), Optional.of(project));
        return new ResourceRequest(new Need.Nodes(3), Duration.ofHours(1), Optional.of(who));
    }

    @Test
    void aRuleConcernsTheMembersOfAVo() throws Exception {
        var rules = "vos: [{name: cms, members: ['/O=CMS/*', 'https://cms.example.org,*']}]\n"
                + "rules: [{name: cms, vos: [cms], subjects: ['/O=Guests/*'], most-nodes: 2}]\n";
        var site =
                PolicedScheduler.around(open, YamlSettings.parse("site.yaml", rules), Clock.fixed(NOW, ZoneOffset.UTC));

        site.reserve(key("a"), nodes(60), TOMORROW);
        for (String member : List.of("/O=CMS/CN=Carol", "https://cms.example.org,7", "/O=Guests/CN=Bob")) {
            assertThatThrownBy(() -> site.reserve(key("b"), request(member, 3, Duration.ofHours(1)), TOMORROW))
                    .hasMessageContaining("rule cms, most-nodes");
        }
        assertThatThrownBy(() -> site("- {name: r, vos: [atlas], deny: true}\n"))
                .hasMessageContaining("(atlas)");
    }

    @Test
    void anExpressionSeesWhichVosServerAndMachineAreConcerned() throws Exception {
        var rules = "vos: [{name: cms, members: ['/O=CMS/*']}, {name: all, members: ['/O=*']}]\n"
                + "rules:\n- name: quarter\n"
                + "  require: member(\"cms\", Vos) && Server == \"/CN=portal\" || Nodes <= TARGET.TotalNodes / 4\n";
        var site =
                PolicedScheduler.around(open, YamlSettings.parse("site.yaml", rules), Clock.fixed(NOW, ZoneOffset.UTC));
        var carol = request("/O=CMS/CN=Carol", 17, Duration.ofHours(1));
        var bob = request("/O=Guests/CN=Bob", 17, Duration.ofHours(1));

        site.reserve(key("a"), request("/O=Guests/CN=Bob", 16, Duration.ofHours(1)), TOMORROW);
        site.reserve(key("b"), carol.by("/CN=portal"), TOMORROW);

        for (var request : List.of(carol, carol.by("/CN=grid"), bob.by("/CN=portal"))) {
            assertThatThrownBy(() -> site.reserve(key("c"), request, TOMORROW))
                    .hasMessageContaining("rule quarter, require");
        }
    }

    @Test
    void aRuleConcernsAServerAndWhatIsGrantedThroughItEvenAfterARestart() throws Exception {
        String rules = "- {name: portal, servers: ['/CN=portal'], share: [{most: 10}]}\n";
        var first = site(rules);
        first.reserve(key("a"), nodes(6).by("/CN=portal"), TOMORROW);
        first.reserve(key("b"), nodes(50).by("/CN=grid"), TOMORROW);
        first.close();
        var site = site(rules);

        assertThatThrownBy(() -> site.reserve(key("c"), nodes(6).by("/CN=portal"), TOMORROW))
                .hasMessageContaining("6 nodes beside 6 that are granted are more than 10");
        site.reserve(key("c"), nodes(4).by("/CN=portal"), TOMORROW);
        site.reserve(key("d"), nodes(1), TOMORROW);
    }

    @Test
    void theWindowsThatAreShownObeyTheRules() throws Exception {
        var site = site(
                "- name: office\n  share: [{most: 50%, from: '08:00', until: '18:00', days: [mon, tue, wed, thu, fri]}]\n"
                        + "  black-outs: [{from: 2030-01-08T20:00:00Z, until: 2030-01-09T20:00:00Z}]\n"
                        + "  least-notice: 2h\n");

        var windows = site.windowListing().orElseThrow().freeWindows(nodes(40), TimeSlot.of(NOW, Duration.ofDays(4)));

        assertThat(windows.starts()).hasSize(4).allSatisfy(window -> {
            assertThat(window.earliest().toString()).matches(".*T(18|20):00:00Z");
            assertThat(window.latest().toString()).matches(".*T(07|19):00:00Z");
        });
        assertThat(site.earliestStart(nodes(40), NOW)).contains(Instant.parse("2030-01-07T18:00:00Z"));
        assertThat(site.earliestStart(nodes(32), NOW)).contains(Instant.parse("2030-01-07T12:01:00Z"));
        assertThatThrownBy(() -> site.reserve(key("k"), nodes(40), TOMORROW))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refusal -> assertThat(refusal.possibleStart()).contains(Instant.parse("2030-01-08T18:00:00Z")))
                .hasMessageContaining("rule office, share: 40 nodes beside 0 that are granted are more than 32");
    }

    @Test
    void theShareIsWhatAllHaveTogether() throws Exception {
        var site = site("- name: half\n  share: [{most: 32}]\n");

        var first = site.reserve(key("a"), nodes(20), TOMORROW);
        assertThatThrownBy(() -> site.reserve(key("b"), request("/CN=Bob", 13, Duration.ofHours(1)), TOMORROW))
                .hasMessageContaining("13 nodes beside 20 that are granted");
        site.reserve(key("c"), request("/CN=Bob", 12, Duration.ofHours(1)), TOMORROW);
        site.cancel(first.id());
        site.reserve(key("d"), request("/CN=Bob", 13, Duration.ofHours(1)), TOMORROW);
    }

    @Test
    void hoursOfAMonthAndReservationsAreCountedOverARestart() throws Exception {
        String rules = "- {name: budget, most-reservations: 3, node-hours-per-month: 100}\n";
        try (var site = site(rules)) {
            site.reserve(key("a"), nodes(60), TOMORROW);
            assertThatThrownBy(() -> site.reserve(key("b"), nodes(41), TOMORROW))
                    .hasMessageContaining("node-hours-per-month: 40 of 100 node-hours are left in 2030-01");
            site.reserve(key("c"), nodes(20), TOMORROW);
        }
        Files.writeString(folder.resolve("ledger"), "x\tcut off by a cra", StandardOpenOption.APPEND);
        try (var site = site(rules)) {
            assertThatThrownBy(() -> site.reserve(key("d"), nodes(21), TOMORROW))
                    .hasMessageContaining("20 of 100");
            assertThat(site.reserve(key("c"), nodes(20), TOMORROW).id()).hasToString("id-c");
            site.reserve(key("e"), nodes(20), TOMORROW);
            assertThatThrownBy(() -> site.reserve(key("f"), nodes(1), TOMORROW))
                    .hasMessageContaining("most-reservations: 3 are held already, of 3");
            assertThatThrownBy(() -> site(rules))
                    .isInstanceOf(InvalidSettingException.class)
                    .hasMessageContaining("it is in use");
        }
    }

    /** Nothing is reserved, and the answer is not that the request may have been executed: the search would go on at other starts. */
    @Test
    void aLedgerThatCannotBeWrittenIsNamed() throws Exception {
        var site = site("- name: half\n  share: [{most: 32}]\n");
        Files.delete(folder.resolve("ledger"));
        Files.createDirectory(folder.resolve("ledger"));

        assertThatThrownBy(() -> site.reserve(key("a"), nodes(1), TOMORROW))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContainingAll("The ledger of the policy cannot be written.", "ledger");
        Files.delete(folder.resolve("ledger"));

        assertThat(open.find(key("a"))).isEmpty();
        site.reserve(key("b"), nodes(32), TOMORROW);
    }

    @Test
    void whatMayHaveBeenMadeCountsAndWhatWasNotDoesNot() throws Exception {
        var site = site("- name: half\n  share: [{most: 32}]\n");
        open.mishap = new Unreachable("The answer is lost.");
        assertThatThrownBy(() -> site.reserve(key("a"), nodes(32), TOMORROW)).isInstanceOf(Unreachable.class);
        open.mishap = new Refused("Full.");
        assertThatThrownBy(() -> site.reserve(key("b"), nodes(1), TOMORROW))
                .as("the first may be there")
                .hasMessageContaining("rule half, share");
        assertThatThrownBy(() -> site.reserve(key("a"), nodes(32), TOMORROW)).hasMessage("Full.");
        open.mishap = null;

        site.reserve(key("c"), nodes(32), TOMORROW);
    }

    @Test
    void aReservationWhoseAnswerWasLostCountsNoMoreWhenItIsFoundAndGivenUp() throws Exception {
        var site = site("- name: half\n  share: [{most: 32}]\n");
        open.mishap = new Unreachable("The answer is lost.");
        assertThatThrownBy(() -> site.reserve(key("a"), nodes(32), TOMORROW)).isInstanceOf(Unreachable.class);
        open.mishap = null;
        var made = open.reserve(key("a"), nodes(32), TOMORROW);

        assertThat(site.find(key("a"))).isPresent();
        site.cancel(made.id());

        site.reserve(key("b"), nodes(32), TOMORROW);
    }

    @Test
    void anExpressionSaysWhatKeysCannot() throws Exception {
        var site = site("- name: small or short\n  require: Nodes <= 8 || DurationSeconds <= 600\n");

        site.reserve(key("a"), request(ALICE, 8, Duration.ofHours(5)), TOMORROW);
        site.reserve(key("b"), request(ALICE, 64, Duration.ofMinutes(10)), TOMORROW);
        assertThatThrownBy(() -> site.reserve(key("c"), request(ALICE, 9, Duration.ofMinutes(11)), TOMORROW))
                .hasMessageContaining("rule small or short, require")
                .hasMessageContaining("Maybe 8 nodes for PT11M from 2030-01-08T10:00:00Z");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "- {most-nodes: 1}\n",
                "- {name: a, most-nodes: -1}\n",
                "- {name: a, most-node: 1}\n",
                "- {name: a, longest: soon}\n",
                "- {name: a, share: [{most: 101%}]}\n",
                "- {name: a, share: [{most: 1, from: noon}]}\n",
                "- {name: a, share: [{most: 1, days: [someday]}]}\n",
                "- {name: a, black-outs: [{from: 2030-01-08T20:00:00Z, until: 2030-01-08T20:00:00Z}]}\n",
                "- {name: a, require: 'Nodes <= '}\n",
            })
    void aWrongRuleIsNamedWithItsPlace(String rules) {
        assertThatThrownBy(() -> site(rules))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageStartingWith("site.yaml:");
    }

    @Test
    void whatCountsNeedsALedger() {
        var settings = YamlSettings.parse("site.yaml", "rules:\n- {name: a, most-reservations: 1}\n");

        assertThatThrownBy(() -> PolicedScheduler.around(open, settings, Clock.systemUTC()))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("name the file that remembers it");
    }
}
