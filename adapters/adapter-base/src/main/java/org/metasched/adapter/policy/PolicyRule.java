package org.metasched.adapter.policy;

import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.metasched.adapter.TimeSlot;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.LookupMode;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;

/**
 * One rule of a site: the requesters that it concerns, and its limits. Everything in it holds for those it concerns. Immutable.
 *
 * @param name for refusals
 * @param whom it concerns
 * @param deny whether it allows them nothing
 * @param mostNodes of one reservation
 * @param longest length of one reservation
 * @param leastNotice from now to a start
 * @param lookAhead latest start, as a time from now
 * @param mostReservations of one subject, or of all, that are not over
 * @param nodeHours of one subject, or of all, in one calendar month
 * @param shares how many nodes all whom it concerns may have together, or each of them, by time of day
 * @param blackOuts times that no reservation may touch
 * @param require a ClassAd expression over the request ({@code MY}) and the site ({@code TARGET}) that must be true
 */
record PolicyRule(
        String name,
        Whom whom,
        boolean deny,
        Optional<Integer> mostNodes,
        Optional<Duration> longest,
        Optional<Duration> leastNotice,
        Optional<Duration> lookAhead,
        Optional<Integer> mostReservations,
        Optional<Integer> nodeHours,
        List<Share> shares,
        List<TimeSlot> blackOuts,
        Optional<Expr> require) {

    private static final long HOUR = 3600;
    private static final String TOTAL_NODES = "TARGET.TotalNodes";

    /**
     * Requesters that a rule concerns, by forms of certificate subjects; without one all.
     *
     * @param subjects subjects of the requester and of further users
     * @param servers by whom
     * @param projects at whose cost
     * @param together whether what it counts is of all these together, not of each subject
     */
    record Whom(List<Pattern> subjects, List<Pattern> servers, List<Pattern> projects, boolean together) {

        /** The requester or one of the others who may use it. */
        boolean concerns(PolicyRequest asked) {
            return isAmong(projects, asked.project())
                    && Stream.concat(Stream.of(asked.subject()), asked.users().stream())
                            .anyMatch(subject -> has(subject, asked.server()));
        }

        /** Whether the rule concerns what was granted. */
        boolean has(GrantedUsage.Grant grant) {
            return isAmong(projects, grant.project()) && has(grant.subject(), grant.server());
        }

        /** Whether what was granted counts when a rule that counts judges a request. */
        boolean counts(GrantedUsage.Grant grant, PolicyRequest asked) {
            return together ? has(grant) : grant.subject().equals(asked.subject());
        }

        private boolean has(String subject, String server) {
            return isAmong(subjects, subject) && isAmong(servers, server);
        }

        private static boolean isAmong(List<Pattern> forms, String name) {
            return forms.isEmpty()
                    || forms.stream().anyMatch(form -> form.matcher(name).matches());
        }
    }

    /**
     * A share of the machine.
     *
     * @param most nodes, or where {@code percent} is set, hundredths of all nodes
     * @param each whether every subject has one of its own, instead of all whom the rule concerns together
     */
    record Share(int most, boolean percent, DailyWindow window, boolean each) {

        int nodes(int machine) {
            return percent ? (int) ((long) machine * most / 100) : most;
        }
    }

    /**
     * Facts by which rules judge.
     *
     * @param zone in which days and months begin
     * @param machine nodes of the site
     * @param vos virtual organisations, by the subjects of their members
     */
    record World(
            Instant now, ZoneId zone, int machine, ClassAd site, Map<String, List<Pattern>> vos, GrantedUsage usage) {

        World with(GrantedUsage other) {
            return new World(now, zone, machine, site, vos, other);
        }

        private Value vosOf(String subject) {
            return Value.ListOf.of(vos.keySet().stream()
                    .filter(vo -> Whom.isAmong(vos.getOrDefault(vo, List.of()), subject))
                    .map(Value::of)
                    .toList());
        }
    }

    PolicyRule {
        shares = List.copyOf(shares);
        blackOuts = List.copyOf(blackOuts);
    }

    /** Whether the rule has to know how many nodes the site has. */
    boolean needsMachine() {
        return shares.stream().anyMatch(Share::percent)
                || require.filter(expr -> expr.references(ClassAd.EMPTY, LookupMode.NEW).external().stream()
                                .anyMatch(TOTAL_NODES::equalsIgnoreCase))
                        .isPresent();
    }

    /** Whether the rule has to know what was granted before. */
    boolean counts() {
        return mostReservations.isPresent() || nodeHours.isPresent() || !shares.isEmpty();
    }

    /** Why it allows the request at no time, if so. */
    Optional<String> refusal(PolicyRequest asked, World world) {
        if (deny) {
            return broken("deny", "it allows these requesters nothing");
        }
        if (mostNodes.isPresent() && asked.nodes() > mostNodes.get()) {
            return broken("most-nodes", asked.nodes() + " nodes are more than " + mostNodes.get());
        }
        if (longest.isPresent() && asked.length().compareTo(longest.get()) > 0) {
            return broken("longest", asked.length() + " is longer than " + longest.get());
        }
        if (mostReservations.isPresent()) {
            long held = world.usage().held(grant -> whom.counts(grant, asked), world.now());
            if (held >= mostReservations.get()) {
                return broken("most-reservations", held + " are held already, of " + mostReservations.get());
            }
        }
        if (require.isPresent() && !require.get().evaluate(scope(asked, world)).equals(Value.of(true))) {
            return broken("require", "the request is not what it requires");
        }
        return Optional.empty();
    }

    private static Scope scope(PolicyRequest asked, World world) {
        ClassAd request = ClassAd.EMPTY
                .with("Subject", asked.subject())
                .with(
                        "Users",
                        Value.ListOf.of(asked.users().stream().map(Value::of).toList()))
                .with("Project", asked.project())
                .with("Server", asked.server())
                .with("Vos", world.vosOf(asked.subject()))
                .with("DurationSeconds", asked.length().toSeconds());
        request = asked.need()
                .fold(
                        nodes -> ClassAd.EMPTY
                                .with("Nodes", (long) nodes.count())
                                .with("CoresPerNode", (long) nodes.coresPerNode())
                                .with("Properties", String.join(",", nodes.properties())),
                        link -> ClassAd.EMPTY.with("Megabits", (long) link.megabitsPerSecond()),
                        licence -> ClassAd.EMPTY
                                .with("Feature", licence.feature())
                                .with("Licences", (long) licence.count()))
                .with(request);
        return Scope.matching(request, world.site(), LookupMode.NEW);
    }

    /** The starts in a span that it does not allow. */
    List<ForbiddenInterval> closed(PolicyRequest asked, World world, TimeSlot starts) {
        var closed = new ArrayList<ForbiddenInterval>();
        leastNotice
                .flatMap(notice -> ForbiddenInterval.between(
                        Instant.MIN,
                        world.now().plus(notice),
                        why("least-notice", "a start must be " + notice + " away")))
                .ifPresent(closed::add);
        lookAhead
                .flatMap(ahead -> ForbiddenInterval.between(
                        world.now().plus(ahead).plusNanos(1),
                        Instant.MAX,
                        why("look-ahead", "a start may be " + ahead + " away at most")))
                .ifPresent(closed::add);
        for (TimeSlot blackOut : blackOuts) {
            ForbiddenInterval.touching(
                            blackOut.start(),
                            blackOut.end(),
                            asked,
                            why("black-outs", "none may touch " + blackOut.start() + " to " + blackOut.end()))
                    .ifPresent(closed::add);
        }
        var span = new TimeSlot(starts.start(), starts.end().plus(asked.length()));
        shares.forEach(share -> closeByShare(closed, share, asked, world, span));
        nodeHours.ifPresent(hours -> closeByMonth(closed, hours, asked, world, span));
        return closed;
    }

    private void closeByShare(
            List<ForbiddenInterval> closed, Share share, PolicyRequest asked, World world, TimeSlot span) {
        int most = share.nodes(world.machine());
        if (asked.nodes() == 0) {
            return;
        }
        for (TimeSlot window : share.window().within(span, world.zone())) {
            for (GrantedUsage.Level level : world.usage()
                    .levels(
                            grant -> share.each() ? whom.counts(grant, asked) : whom.has(grant),
                            window.start(),
                            window.end())) {
                if ((long) level.nodes() + asked.nodes() > most) {
                    String why = why(
                            share.each() ? "most-nodes-at-a-time" : "share",
                            asked.nodes() + " nodes beside " + level.nodes() + " that are granted are more than " + most
                                    + " from " + level.from() + " to " + level.until());
                    ForbiddenInterval.touching(level.from(), level.until(), asked, why)
                            .ifPresent(closed::add);
                }
            }
        }
    }

    /** A start is closed when more of the reservation would lie in the month than is left of it. */
    private void closeByMonth(
            List<ForbiddenInterval> closed, int hours, PolicyRequest asked, World world, TimeSlot span) {
        if (asked.nodes() == 0) {
            return;
        }
        YearMonth last = YearMonth.from(span.end().atZone(world.zone()));
        for (YearMonth month = YearMonth.from(span.start().atZone(world.zone()));
                !month.isAfter(last);
                month = month.plusMonths(1)) {
            Instant begin = month.atDay(1).atStartOfDay(world.zone()).toInstant();
            Instant end =
                    month.plusMonths(1).atDay(1).atStartOfDay(world.zone()).toInstant();
            long left =
                    hours * HOUR - world.usage().nodeSeconds(grant -> whom.counts(grant, asked), month, world.zone());
            Duration fits = Duration.ofSeconds(Math.max(0, left)).dividedBy(asked.nodes());
            Duration most = Duration.between(begin, end);
            Duration within = asked.length().compareTo(most) < 0 ? asked.length() : most;
            if (within.compareTo(fits) > 0) {
                String why = why(
                        "node-hours-per-month",
                        Math.max(0, left) / HOUR + " of " + hours + " node-hours are left in " + month);
                ForbiddenInterval.between(begin.minus(asked.length()).plus(fits).plusNanos(1), end.minus(fits), why)
                        .ifPresent(closed::add);
            }
        }
    }

    private Optional<String> broken(String key, String reason) {
        return Optional.of(why(key, reason));
    }

    private String why(String key, String reason) {
        return "rule " + name + ", " + key + ": " + reason;
    }
}
