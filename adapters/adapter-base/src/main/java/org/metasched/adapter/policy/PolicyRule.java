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
 * One rule of a site: the requesters that it concerns, and its limits, which all apply to them. Immutable.
 *
 * @param name name of the rule in refusals
 * @param whom requesters that it concerns
 * @param deny whether it refuses all their requests
 * @param mostNodes most nodes of one reservation
 * @param longest longest duration of one reservation
 * @param leastNotice shortest time from now to a start
 * @param lookAhead latest start, as a time from now
 * @param mostReservations most reservations that are not over, of one subject or of all together
 * @param nodeHours most node-hours in one calendar month, of one subject or of all together
 * @param shares limits on nodes by time of day, of one subject or of all together
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
     * Requesters that a rule concerns, by patterns of certificate subjects; an empty list matches all.
     *
     * @param subjects subjects of the requester and of further users
     * @param servers names of the metaschedulers that ask
     * @param projects accounts that are charged
     * @param together whether limits count the usage of all these requesters together instead of each subject's
     */
    record Whom(List<Pattern> subjects, List<Pattern> servers, List<Pattern> projects, boolean together) {

        /** Whether the rule concerns the requester or a further user. */
        boolean concerns(PolicyRequest request) {
            return isAmong(projects, request.project())
                    && Stream.concat(Stream.of(request.subject()), request.users().stream())
                            .anyMatch(subject -> has(subject, request.server()));
        }

        /** Whether the rule concerns a grant. */
        boolean has(GrantedUsage.Grant grant) {
            return isAmong(projects, grant.project()) && has(grant.subject(), grant.server());
        }

        /** Whether a grant counts towards the limits of a request. */
        boolean counts(GrantedUsage.Grant grant, PolicyRequest request) {
            return together ? has(grant) : grant.subject().equals(request.subject());
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
     * @param most number of nodes, or percentage of all nodes if {@code percent} is set
     * @param each whether {@code together} decides if the share is of each subject or of all concerned requesters; otherwise it is of all
     */
    record Share(int most, boolean percent, DailyPeriod period, boolean each) {

        int nodes(int machine) {
            return percent ? (int) ((long) machine * most / 100) : most;
        }
    }

    /**
     * Facts by which rules judge a request.
     *
     * @param zone time zone of days and months
     * @param machine number of the site's nodes
     * @param vos virtual organisations, by the subjects of their members
     */
    record Facts(
            Instant now, ZoneId zone, int machine, ClassAd site, Map<String, List<Pattern>> vos, GrantedUsage usage) {

        Facts with(GrantedUsage other) {
            return new Facts(now, zone, machine, site, vos, other);
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

    /** Whether the rule needs the number of the site's nodes. */
    boolean needsMachine() {
        return shares.stream().anyMatch(Share::percent)
                || require.filter(expr -> expr.references(ClassAd.EMPTY, LookupMode.NEW).external().stream()
                                .anyMatch(TOTAL_NODES::equalsIgnoreCase))
                        .isPresent();
    }

    /** Whether the rule counts earlier grants. */
    boolean counts() {
        return mostReservations.isPresent() || nodeHours.isPresent() || !shares.isEmpty();
    }

    /** The reason why the rule allows the request at no time; empty if it may allow it. */
    Optional<String> refusal(PolicyRequest request, Facts facts) {
        if (deny) {
            return broken("deny", "it allows these requesters nothing");
        }
        if (mostNodes.isPresent() && request.nodes() > mostNodes.get()) {
            return broken("most-nodes", request.nodes() + " nodes are more than " + mostNodes.get());
        }
        if (longest.isPresent() && request.length().compareTo(longest.get()) > 0) {
            return broken("longest", request.length() + " is longer than " + longest.get());
        }
        if (mostReservations.isPresent()) {
            long held = facts.usage().held(grant -> whom.counts(grant, request), facts.now());
            if (held >= mostReservations.get()) {
                return broken("most-reservations", held + " are held already, of " + mostReservations.get());
            }
        }
        if (require.isPresent()
                && !require.get().evaluate(scope(request, facts)).equals(Value.of(true))) {
            return broken("require", "the request is not what it requires");
        }
        return Optional.empty();
    }

    private static Scope scope(PolicyRequest request, Facts facts) {
        ClassAd ad = ClassAd.EMPTY
                .with("Subject", request.subject())
                .with(
                        "Users",
                        Value.ListOf.of(request.users().stream().map(Value::of).toList()))
                .with("Project", request.project())
                .with("Server", request.server())
                .with("Vos", facts.vosOf(request.subject()))
                .with("DurationSeconds", request.length().toSeconds());
        ad = request.need()
                .fold(
                        nodes -> ClassAd.EMPTY
                                .with("Nodes", (long) nodes.count())
                                .with("CoresPerNode", (long) nodes.coresPerNode())
                                .with("Properties", String.join(",", nodes.properties())),
                        link -> ClassAd.EMPTY.with("Megabits", (long) link.megabitsPerSecond()),
                        licence -> ClassAd.EMPTY
                                .with("Feature", licence.feature())
                                .with("Licences", (long) licence.count()))
                .with(ad);
        return Scope.matching(ad, facts.site(), LookupMode.NEW);
    }

    /** The starts in a span that the rule does not allow. */
    List<ForbiddenInterval> closed(PolicyRequest request, Facts facts, TimeSlot starts) {
        var closed = new ArrayList<ForbiddenInterval>();
        leastNotice
                .flatMap(notice -> ForbiddenInterval.between(
                        Instant.MIN,
                        facts.now().plus(notice),
                        why("least-notice", "a start must be " + notice + " away")))
                .ifPresent(closed::add);
        lookAhead
                .flatMap(ahead -> ForbiddenInterval.between(
                        facts.now().plus(ahead).plusNanos(1),
                        Instant.MAX,
                        why("look-ahead", "a start may be " + ahead + " away at most")))
                .ifPresent(closed::add);
        for (TimeSlot blackOut : blackOuts) {
            ForbiddenInterval.touching(
                            blackOut.start(),
                            blackOut.end(),
                            request,
                            why("black-outs", "none may touch " + blackOut.start() + " to " + blackOut.end()))
                    .ifPresent(closed::add);
        }
        var span = new TimeSlot(starts.start(), starts.end().plus(request.length()));
        if (request.nodes() > 0) {
            shares.forEach(share -> closeByShare(closed, share, request, facts, span));
            nodeHours.ifPresent(hours -> closeByMonth(closed, hours, request, facts, span));
        }
        return closed;
    }

    private void closeByShare(
            List<ForbiddenInterval> closed, Share share, PolicyRequest request, Facts facts, TimeSlot span) {
        int most = share.nodes(facts.machine());
        for (TimeSlot slot : share.period().within(span, facts.zone())) {
            for (GrantedUsage.Level level : facts.usage()
                    .levels(
                            grant -> share.each() ? whom.counts(grant, request) : whom.has(grant),
                            slot.start(),
                            slot.end())) {
                if ((long) level.nodes() + request.nodes() > most) {
                    String why = why(
                            share.each() ? "most-nodes-at-a-time" : "share",
                            request.nodes() + " nodes beside " + level.nodes() + " that are granted are more than "
                                    + most + " from " + level.from() + " to " + level.until());
                    ForbiddenInterval.touching(level.from(), level.until(), request, why)
                            .ifPresent(closed::add);
                }
            }
        }
    }

    /** Closes the starts from which the part of the reservation in a month would need more node-hours than are left in that month. */
    private void closeByMonth(
            List<ForbiddenInterval> closed, int hours, PolicyRequest request, Facts facts, TimeSlot span) {
        YearMonth last = YearMonth.from(span.end().atZone(facts.zone()));
        for (YearMonth month = YearMonth.from(span.start().atZone(facts.zone()));
                !month.isAfter(last);
                month = month.plusMonths(1)) {
            Instant begin = month.atDay(1).atStartOfDay(facts.zone()).toInstant();
            Instant end =
                    month.plusMonths(1).atDay(1).atStartOfDay(facts.zone()).toInstant();
            long left = hours * HOUR - facts.usage().nodeSeconds(grant -> whom.counts(grant, request), begin, end);
            Duration room = Duration.ofSeconds(Math.max(0, left)).dividedBy(request.nodes());
            Duration most = Duration.between(begin, end);
            Duration needed = request.length().compareTo(most) < 0 ? request.length() : most;
            if (needed.compareTo(room) > 0) {
                String why = why(
                        "node-hours-per-month",
                        Math.max(0, left) / HOUR + " of " + hours + " node-hours are left in " + month);
                ForbiddenInterval.between(
                                begin.minus(request.length()).plus(room).plusNanos(1), end.minus(room), why)
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
