package org.metasched.agreement.guarantee;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.CompensationAssessment;
import org.metasched.agreement.GuaranteeState;
import org.metasched.agreement.GuaranteeTerm;
import org.metasched.agreement.SiteCommitment;

/**
 * Evaluation of the guarantees of an agreement by the reports of its sites at one poll.
 *
 * @param parts the parts as their sites report them
 * @param silent sites that did not answer
 * @param levels evaluator of the terms' expressions
 */
public record GuaranteeEvaluator(
        Agreement agreement, List<SiteCommitment> parts, Set<SiteId> silent, ServiceLevels levels, Instant now) {

    /** The agreement with these parts, and with the guarantees that follow from them; itself if nothing has changed. */
    public Agreement evaluate() {
        var judged = judge();
        return agreement.withParts(parts, judged, assess(judged), now);
    }

    private Map<String, GuaranteeState> judge() {
        Map<String, GuaranteeState> judged = new LinkedHashMap<>(agreement.guarantees());
        for (var term : agreement.offer().guarantees()) {
            judged.put(term.name(), state(term, scope(term), stateIn(judged, term)));
        }
        return judged;
    }

    /** An assessment for each compensation, in the order of the terms. */
    private List<CompensationAssessment> assess(Map<String, GuaranteeState> judged) {
        var slot = agreement.slot().orElseThrow();
        var assessed = new ArrayList<CompensationAssessment>();
        for (var term : agreement.offer().guarantees()) {
            for (var compensation : term.compensations()) {
                assessed.add(agreement
                        .assessments()
                        .get(assessed.size())
                        .assessed(
                                compensation,
                                stateIn(judged, term),
                                slot,
                                now,
                                () -> levels.value(withStates(compensation.value()), facts(scope(term)))));
            }
        }
        return assessed;
    }

    private static GuaranteeState stateIn(Map<String, GuaranteeState> judged, GuaranteeTerm term) {
        return judged.getOrDefault(term.name(), GuaranteeState.NOT_DETERMINED);
    }

    private List<SiteCommitment> scope(GuaranteeTerm term) {
        return parts.stream().filter(c -> term.covers(c.service())).toList();
    }

    private GuaranteeState state(GuaranteeTerm term, List<SiteCommitment> scope, GuaranteeState before) {
        if (term.condition()
                .filter(c -> !levels.holds(withStates(c), facts(scope)).orElse(false))
                .isPresent()) {
            return GuaranteeState.NOT_DETERMINED;
        }
        return term.objective()
                .map(objective -> levels.holds(withStates(objective), facts(scope))
                        .map(kept -> kept ? GuaranteeState.FULFILLED : GuaranteeState.VIOLATED)
                        .orElse(GuaranteeState.NOT_DETERMINED))
                .orElseGet(() -> stateOfResources(scope, before));
    }

    /** State of the promise that the resources are there; {@code before} if no part is lost or active and some have ended. */
    private static GuaranteeState stateOfResources(List<SiteCommitment> scope, GuaranteeState before) {
        if (scope.stream()
                .anyMatch(c ->
                        c.state() == ReservationState.CANCELLED || (c.state().isHeld() && c.isDegraded()))) {
            return GuaranteeState.VIOLATED;
        } else if (scope.stream().anyMatch(c -> c.state() == ReservationState.ACTIVE)) {
            return GuaranteeState.FULFILLED;
        }
        return scope.stream().allMatch(c -> c.state() == ReservationState.RESERVED)
                ? GuaranteeState.NOT_DETERMINED
                : before;
    }

    /** An expression in which references to service states are replaced by the states at this poll. */
    private String withStates(String expression) {
        return ServiceLevels.withStates(
                expression, term -> agreement.withParts(parts, now).serviceState(term));
    }

    private Map<String, Long> facts(List<SiteCommitment> scope) {
        Map<String, Long> facts = new LinkedHashMap<>();
        var slot = agreement.slot().orElseThrow();
        facts.put("Now", now.getEpochSecond());
        facts.put("Start", slot.start().getEpochSecond());
        facts.put("End", slot.end().getEpochSecond());
        facts.put("Parts", (long) scope.size());
        facts.put("HeldParts", count(scope, c -> c.state().isHeld()));
        facts.put("ActiveParts", count(scope, c -> c.state() == ReservationState.ACTIVE));
        facts.put("EndedParts", count(scope, c -> c.state() == ReservationState.FINISHED));
        facts.put("LostParts", count(scope, c -> c.state() == ReservationState.CANCELLED));
        facts.put("SilentParts", count(scope, c -> c.state().isHeld() && silent.contains(c.site())));
        facts.put("AgreedNodes", sum(scope, GuaranteeEvaluator::nodes));
        facts.put("LostNodes", sum(scope, c -> c.lostNodes().size()));
        facts.put("Nodes", sum(scope, GuaranteeEvaluator::remainingNodes));
        facts.put("RunningPrograms", programs(scope, s -> s.state() == JobStatus.State.RUNNING));
        facts.put("EndedPrograms", programs(scope, s -> s.state().isFinal()));
        facts.put(
                "FailedPrograms",
                programs(scope, s -> s.state().isFinal() && s.exitCode().orElse(1) != 0));
        return facts;
    }

    private static long nodes(SiteCommitment part) {
        return part.reservation().granted().nodeCount();
    }

    private static long remainingNodes(SiteCommitment part) {
        return part.state().isHeld()
                ? Math.max(0, nodes(part) - part.lostNodes().size())
                : 0;
    }

    private static long count(List<SiteCommitment> scope, Predicate<SiteCommitment> which) {
        return scope.stream().filter(which).count();
    }

    private static long sum(List<SiteCommitment> scope, ToLongFunction<SiteCommitment> number) {
        return scope.stream().mapToLong(number).sum();
    }

    private static long programs(List<SiteCommitment> scope, Predicate<JobStatus> which) {
        return scope.stream()
                .flatMap(c -> c.run().stream())
                .filter(run -> which.test(run.status()))
                .count();
    }
}
