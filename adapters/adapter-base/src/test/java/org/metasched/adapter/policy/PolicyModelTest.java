package org.metasched.adapter.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Requester;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.settings.YamlSettings;

/**
 * Random policies against a model that walks through time in steps of a quarter of an hour: nothing is granted that the
 * model forbids, nothing refused without a reason that is true, and what is suggested or shown as free passes the model.
 */
class PolicyModelTest {

    private static final int POLICIES = Integer.getInteger("metasched.policies", 300);
    private static final long SEED = Long.getLong("metasched.seed", 20300107L);
    /** 2030-01-29 is a Tuesday; three days later a month begins. */
    private static final Instant NOW = Instant.parse("2030-01-29T10:00:00Z");

    private static final Duration STEP = Duration.ofMinutes(15);
    private static final Duration LOOK_AHEAD = Duration.ofDays(6);
    private static final Pattern SUGGESTED =
            Pattern.compile("(?s).*\nMaybe (\\d+) nodes? for (\\S+) from (\\S+): the rules allow that\\.");

    @TempDir
    Path folder;

    /** One rule of the model, and what was drawn for it. */
    private record ModelRule(
            String name,
            @Nullable String subject,
            int mostNodes,
            Duration longest,
            Duration notice,
            int mostReservations,
            int nodeHours,
            int share,
            int from,
            int until,
            @Nullable TimeSlot blackOut) {

        static ModelRule drawn(int number, Random random) {
            int from = random.nextInt(24);
            Instant black = NOW.plus(STEP.multipliedBy(random.nextInt(400)));
            return new ModelRule(
                    "r" + number,
                    random.nextInt(3) == 0 ? "CN=u" + random.nextInt(3) : null,
                    random.nextInt(3) == 0 ? 1 + random.nextInt(64) : -1,
                    random.nextInt(3) == 0 ? STEP.multipliedBy(1 + random.nextInt(60)) : Duration.ZERO,
                    random.nextInt(4) == 0 ? STEP.multipliedBy(random.nextInt(40)) : Duration.ZERO,
                    random.nextInt(4) == 0 ? random.nextInt(5) : -1,
                    random.nextInt(4) == 0 ? random.nextInt(400) : -1,
                    random.nextInt(2) == 0 ? random.nextInt(65) : -1,
                    from,
                    random.nextInt(24),
                    random.nextInt(4) == 0 ? TimeSlot.of(black, STEP.multipliedBy(1 + random.nextInt(100))) : null);
        }

        String yaml() {
            var yaml = new StringBuilder("- name: " + name + "\n");
            yaml.append(subject == null ? "" : "  subjects: [" + subject + "]\n");
            yaml.append(mostNodes < 0 ? "" : "  most-nodes: " + mostNodes + "\n");
            yaml.append(longest.isZero() ? "" : "  longest: " + longest + "\n");
            yaml.append(notice.isZero() ? "" : "  least-notice: " + notice + "\n");
            yaml.append(mostReservations < 0 ? "" : "  most-reservations: " + mostReservations + "\n");
            yaml.append(nodeHours < 0 ? "" : "  node-hours-per-month: " + nodeHours + "\n");
            yaml.append(
                    share < 0
                            ? ""
                            : String.format(
                                    "  share: [{most: %d, from: '%02d:00', until: '%02d:00'}]%n", share, from, until));
            yaml.append(
                    blackOut == null
                            ? ""
                            : "  black-outs: [{from: " + blackOut.start() + ", until: " + blackOut.end() + "}]\n");
            return yaml.toString();
        }

        boolean concerns(String who) {
            return subject == null || subject.equals(who);
        }

        private boolean inWindow(Instant at) {
            int hour = at.atZone(ZoneOffset.UTC).getHour();
            return from == until || (from < until ? hour >= from && hour < until : hour >= from || hour < until);
        }

        /** The keys that forbid it. */
        List<String> forbids(String who, int nodes, TimeSlot slot, Map<String, Granted> granted) {
            var keys = new ArrayList<String>();
            if (!concerns(who)) {
                return keys;
            }
            if (mostNodes >= 0 && nodes > mostNodes) {
                keys.add("most-nodes");
            }
            if (!longest.isZero() && slot.length().compareTo(longest) > 0) {
                keys.add("longest");
            }
            if (slot.start().isBefore(NOW.plus(notice))) {
                keys.add("least-notice");
            }
            if (mostReservations >= 0
                    && granted.values().stream().filter(g -> g.who.equals(who)).count() >= mostReservations) {
                keys.add("most-reservations");
            }
            if (blackOut != null && blackOut.overlaps(slot)) {
                keys.add("black-outs");
            }
            walk(who, nodes, slot, granted, keys);
            return keys;
        }

        private void walk(String who, int nodes, TimeSlot slot, Map<String, Granted> granted, List<String> keys) {
            var used = new HashMap<YearMonth, Long>();
            for (Instant at = slot.start(); at.isBefore(slot.end()); at = at.plus(STEP)) {
                Instant now = at;
                int others = granted.values().stream()
                        .filter(g -> concerns(g.who) && g.slot.contains(now))
                        .mapToInt(g -> g.nodes)
                        .sum();
                if (share >= 0 && inWindow(at) && others + nodes > share && !keys.contains("share")) {
                    keys.add("share");
                }
                used.merge(month(at), (long) nodes, Long::sum);
            }
            for (Granted g : granted.values()) {
                for (Instant at = g.slot.start(); at.isBefore(g.slot.end()) && g.who.equals(who); at = at.plus(STEP)) {
                    used.computeIfPresent(month(at), (m, steps) -> steps + g.nodes);
                }
            }
            if (nodeHours >= 0 && used.values().stream().anyMatch(steps -> steps > 4L * nodeHours)) {
                keys.add("node-hours-per-month");
            }
        }

        private static YearMonth month(Instant at) {
            return YearMonth.from(ZonedDateTime.ofInstant(at, ZoneOffset.UTC));
        }
    }

    private record Granted(String who, int nodes, TimeSlot slot) {}

    @Test
    void randomPoliciesForbidWhatTheModelForbidsAndNothingElse() throws Exception {
        var random = new Random(SEED);
        int grants = 0;
        int refusals = 0;
        int suggestions = 0;
        for (int policy = 0; policy < POLICIES; policy++) {
            var run = new Run(random, policy);
            run.play();
            grants += run.grants;
            refusals += run.refusals;
            suggestions += run.suggestions;
        }
        assertThat(grants).isGreaterThan(POLICIES);
        assertThat(refusals).isGreaterThan(POLICIES);
        assertThat(suggestions).isGreaterThan(POLICIES);
    }

    /** One policy, and a dozen requests under it. */
    private final class Run {
        private final Random random;
        private final String name;
        private final List<ModelRule> rules = new ArrayList<>();
        private final Map<String, Granted> granted = new HashMap<>();
        private final LocalScheduler site;
        private int grants;
        private int refusals;
        private int suggestions;

        Run(Random random, int policy) {
            this.random = random;
            var yaml = new StringBuilder("ledger: " + folder.resolve("ledger" + policy) + "\nrules:\n");
            for (int i = 0; i <= random.nextInt(3); i++) {
                rules.add(ModelRule.drawn(i, random));
                yaml.append(rules.get(i).yaml());
            }
            this.name = "seed " + SEED + ", policy " + policy + "\n" + yaml;
            Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);
            this.site = PolicedScheduler.around(
                    new OpenSite(clock, LOOK_AHEAD), YamlSettings.parse("site.yaml", yaml.toString()), clock);
        }

        void play() throws Exception {
            for (int i = 0; i < 12; i++) {
                String who = "CN=u" + random.nextInt(3);
                int nodes = 1 + random.nextInt(40);
                Duration length = STEP.multipliedBy(1 + random.nextInt(60));
                Instant start = NOW.plus(STEP.multipliedBy(random.nextInt(400)));
                look(who, nodes, length);
                ask("k" + i, who, nodes, TimeSlot.of(start, length));
            }
            site.close();
        }

        private void ask(String key, String who, int nodes, TimeSlot slot) throws Exception {
            List<String> reasons = reasons(who, nodes, slot);
            try {
                site.reserve(new RequestKey(key), request(who, nodes, slot.length()), slot.start());
                assertThat(reasons)
                        .as(name + "granted %s nodes %s", nodes, slot)
                        .isEmpty();
                granted.put(key, new Granted(who, nodes, slot));
                grants++;
            } catch (Refused refusal) {
                String message = String.valueOf(refusal.getMessage());
                assertThat(reasons.stream().anyMatch(message::contains))
                        .as(name + "%s nodes %s: %s, true are %s", nodes, slot, message, reasons)
                        .isTrue();
                refusals++;
                suggestion(who, message);
            }
        }

        private void suggestion(String who, String message) {
            Matcher nearest = SUGGESTED.matcher(message);
            if (nearest.matches()) {
                Instant start = Instant.parse(nearest.group(3));
                int nodes = Integer.parseInt(nearest.group(1));
                Duration length = Duration.parse(nearest.group(2));
                // suggestions may lie between the steps of the model; the policy itself is the judge there
                if (Duration.between(NOW, start).toSeconds() % STEP.toSeconds() == 0
                        && start.getNano() == 0
                        && length.toSeconds() % STEP.toSeconds() == 0) {
                    assertThat(reasons(who, nodes, TimeSlot.of(start, length)))
                            .as(name + message)
                            .isEmpty();
                    suggestions++;
                }
            }
        }

        /** What is shown as free agrees with the model at every step. */
        private void look(String who, int nodes, Duration length) throws Exception {
            FreeWindows shown;
            try {
                shown = site.windowListing()
                        .orElseThrow()
                        .freeWindows(request(who, nodes, length), TimeSlot.of(NOW, LOOK_AHEAD));
            } catch (Refused always) {
                assertThat(reasons(who, nodes, TimeSlot.of(NOW.plus(STEP.multipliedBy(41)), length)))
                        .as(name + always.getMessage())
                        .isNotEmpty();
                return;
            }
            for (int step = 0; step < 500; step += 7) {
                Instant start = NOW.plus(STEP.multipliedBy(step));
                boolean free = shown.starts().stream().anyMatch(window -> window.contains(start));
                List<String> reasons = reasons(who, nodes, TimeSlot.of(start, length));
                boolean early = start.isBefore(NOW.plus(Duration.ofHours(10)).plus(STEP));
                if (free || !early) {
                    assertThat(free)
                            .as(name + "%s nodes for %s from %s: %s", nodes, length, start, reasons)
                            .isEqualTo(reasons.isEmpty());
                }
            }
        }

        private List<String> reasons(String who, int nodes, TimeSlot slot) {
            var reasons = new ArrayList<String>();
            for (ModelRule rule : rules) {
                for (String key : rule.forbids(who, nodes, slot, granted)) {
                    reasons.add("rule " + rule.name() + ", " + key + ":");
                }
            }
            return reasons;
        }

        private ResourceRequest request(String who, int nodes, Duration length) {
            return new ResourceRequest(
                    new Need.Nodes(nodes, 1, new TreeSet<>()), length, Optional.of(new Requester(who)));
        }
    }
}
