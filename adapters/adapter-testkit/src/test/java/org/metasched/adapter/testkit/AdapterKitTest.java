package org.metasched.adapter.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SettableClock;
import org.metasched.adapter.testkit.RuleReport.Outcome;

class AdapterKitTest {

    private final SoftAssertions softly = new SoftAssertions();
    private final SettableClock clock = SettableClock.at("2026-01-05T08:00:07Z");
    private final KitSettings settings = new KitSettings(
            ResourceRequest.nodes(6, Duration.ofMinutes(10)),
            Duration.ofMinutes(30),
            clock,
            Optional.of(clock::advance));

    @Test
    void aSiteThatKeepsTheRulesPassesAllOfThem() throws Exception {
        var shelf = new ShelfScheduler(Set.of(), clock);

        var reports = new AdapterKit(shelf, counting(shelf)).run();

        assertThat(reports).extracting(RuleReport::rule).containsExactly(AdapterRule.values());
        assertThat(reports).allSatisfy(report -> assertThat(report.outcome()).isEqualTo(Outcome.PASSED));
        assertThat(shelf.held()).isEmpty();
    }

    /** As PBS with several virtual nodes a host: a reservation takes a part of a node, and another one the rest of it. */
    @Test
    void aSiteWhoseNodesAreSharedIsNotBlamedForIt() throws Exception {
        var shelf = new ShelfScheduler(Set.of(), clock);
        shelf.shares = 2;

        var report = new AdapterKit(shelf, counting(shelf)).run(AdapterRule.R4);

        assertThat(report.outcome()).as(report.detail()).isEqualTo(Outcome.PASSED);
        assertThat(shelf.held()).isEmpty();
    }

    /** Blamed where its commands are quick enough for listings to last, and never praised. */
    @Test
    void aSlowSiteThatSharesNothingIsNoticed() throws Exception {
        for (var delay : List.of(Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(6))) {
            var shelf = new ShelfScheduler(Set.of(), clock);
            var slow = new SlowScheduler(shelf, clock, delay, false);

            var report =
                    new AdapterKit(slow.scheduler(), slowly(slow, Duration.ofMinutes(5), shelf)).run(AdapterRule.Z1);

            assertThat(report.outcome())
                    .as(delay + ": " + report.detail())
                    .isEqualTo(delay.toSeconds() < 1 ? Outcome.FAILED : Outcome.SKIPPED);
        }
    }

    private KitSettings slowly(SlowScheduler slow, Duration lead, ShelfScheduler others) {
        return new KitSettings(
                ResourceRequest.nodes(5, Duration.ofMinutes(10)),
                lead,
                clock,
                settings.timeTravel(),
                Optional.of(slow::started),
                Optional.of(others));
    }

    private KitSettings counting(ShelfScheduler shelf) {
        return new KitSettings(
                settings.request(),
                settings.lead(),
                clock,
                settings.timeTravel(),
                Optional.of(shelf::started),
                Optional.of(shelf));
    }

    @ParameterizedTest
    @EnumSource
    void aMistakeIsNoticedByItsRule(Fault fault) throws Exception {
        assumeTrue(
                fault != Fault.LEAKS_ITS_HOME || !"?".equals(System.getProperty("user.home")),
                "The home of an account that has none cannot be another's.");
        for (var rule : fault.noticedBy) {
            var shelf = new ShelfScheduler(Set.of(fault), clock);

            var report = new AdapterKit(shelf, counting(shelf)).run(rule);

            assertThat(report.outcome()).as(rule + ": " + report.detail()).isEqualTo(Outcome.FAILED);
            assertThat(report.detail()).contains(rule.lookAt());
        }
    }

    @Test
    void aBrokenRuleIsReportedAlsoIfOthersCannotEnd() throws Exception {
        var shelf = new ShelfScheduler(Set.of(Fault.OVERLOOKS_OTHERS), clock);
        var staying = new KitSettings.Others() {
            @Override
            public Map<String, Callable<Instant>> holdings() {
                return shelf.holdings();
            }

            @Override
            public void takeOut(String node) {
                shelf.takeOut(node);
            }

            @Override
            public void leave() throws IOException {
                throw new IOException("scancel is away");
            }
        };

        var report = new AdapterKit(shelf, settings.with(staying)).run(AdapterRule.O1);

        assertThat(report.outcome()).as(report.detail()).isEqualTo(Outcome.FAILED);
        assertThat(report.detail()).contains("all nodes are offered before then");
    }

    /** The shelf's own users hold nodes for ninety minutes. */
    @Test
    void aHoldingThatEndsBeforeAllNodesAreFreeProvesNothing() throws Exception {
        var shelf = new ShelfScheduler(Set.of(Fault.OVERLOOKS_OTHERS), clock);
        var brief = new KitSettings.Others() {
            @Override
            public Map<String, Callable<Instant>> holdings() {
                return Map.of("a short job", () -> clock.instant().plus(Duration.ofHours(1)));
            }

            @Override
            public void takeOut(String node) {}

            @Override
            public void leave() {}
        };

        var report = new AdapterKit(shelf, settings.with(brief)).run(AdapterRule.O1);

        assertThat(report.outcome()).as(report.detail()).isEqualTo(Outcome.SKIPPED);
        assertThat(report.detail()).contains("All nodes are not free before 2026-01-05T09:00:07Z anyway");
    }

    /** A rule is about what a site answers, not about how long it takes, also where the kit's own start passes meanwhile. */
    @ParameterizedTest
    @CsvSource({"PT1S, PT5S", "PT3S, PT5S", "PT1S, PT30M", "PT6S, PT30M", "PT20S, PT1M"})
    void aSlowSiteIsNotBlamedForTheTimeItTakes(Duration delay, Duration lead) throws Exception {
        for (var rule : AdapterRule.values()) {
            var shelf = new ShelfScheduler(Set.of(), clock);
            var slow = new SlowScheduler(shelf, clock, delay, true);

            var report = new AdapterKit(slow.scheduler(), slowly(slow, lead, shelf)).run(rule);

            softly.assertThat(report.outcome())
                    .as(rule + ": " + report.detail())
                    .isNotEqualTo(Outcome.FAILED);
            softly.assertThat(shelf.held()).isEmpty();
        }
        softly.assertAll();
    }

    @Test
    void everyRuleHasAMistakeThatItNotices() {
        var noticed = Arrays.stream(Fault.values())
                .flatMap(fault -> fault.noticedBy.stream())
                .collect(Collectors.toSet());

        assertThat(noticed).containsExactlyInAnyOrder(AdapterRule.values());
    }

    @Test
    void timeIsNotWaitedForWhenItCannotBeMoved() throws Exception {
        var still = new KitSettings(settings.request(), settings.lead(), clock, Optional.empty());

        var report = new AdapterKit(new ShelfScheduler(Set.of(), clock), still).run(AdapterRule.S3);

        assertThat(report.outcome()).isEqualTo(Outcome.SKIPPED);
        assertThat(report.detail()).contains("cannot move the time");
    }

    /** As Grid Engine, which deletes a reservation some time after it was told to. */
    @Test
    void aStartThatTheRuleBeforeStillTakesIsWaitedFor() throws Exception {
        var shelf = new ShelfScheduler(Set.of(), Clock.systemUTC());
        var request = ResourceRequest.nodes(5, Duration.ofMinutes(10));
        var before =
                shelf.reserve(new RequestKey("before"), request, Instant.now().plusSeconds(1));
        CompletableFuture<Void> deleted = CompletableFuture.runAsync(
                () -> {
                    try {
                        shelf.cancel(before.id());
                    } catch (LocalSchedulerException e) {
                        throw new IllegalStateException(e);
                    }
                },
                CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS));

        var report = new AdapterKit(shelf, KitSettings.live(request, Duration.ofSeconds(1))).run(AdapterRule.J5);

        deleted.get(5, TimeUnit.SECONDS);
        assertThat(report.outcome()).as(report.detail()).isEqualTo(Outcome.PASSED);
        assertThat(shelf.held()).isEmpty();
    }

    @Test
    void theGuideNamesEveryRule() throws Exception {
        var guide = Path.of(System.getProperty("metasched.root", "../.."), "docs", "adapter-guide.md");
        assumeTrue(Files.exists(guide), "docs/adapter-guide.md is not beside this module.");

        var text = Files.readString(guide);

        assertThat(AdapterRule.values())
                .allSatisfy(rule -> assertThat(text).containsPattern("\\b" + rule.id() + "\\b"));
    }
}
