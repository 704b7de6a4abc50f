package org.metasched.adapter.testkit;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.testkit.KitSettings.Others;
import org.metasched.adapter.testkit.RuleCheck.Broken;
import org.metasched.adapter.testkit.RuleCheck.Skipped;

/** Rules O: actions of other users and of the operator at the site. */
final class OthersRules {

    private OthersRules() {}

    private static Others others(RuleTrial trial) throws Skipped {
        return Skipped.without(trial.settings.others(), "The kit is not told how to act for others at this site.");
    }

    /**
     * {@link AdapterRule#O1}. Asks for all nodes together, which are free only when none is taken. A holding proves nothing if they
     * would not be free before its end anyway.
     */
    static String theirsIsNotOffered(RuleTrial trial)
            throws LocalSchedulerException, InterruptedException, Broken, Skipped {
        Others others = others(trial);
        var load = Skipped.without(
                trial.site.loadReporting(), "The site does not report its load, so its size is not known.");
        var all =
                trial.request().of(trial.request().need().withAmount(load.load().totalNodes()));
        var ours = trial.reserveSomewhere();
        Optional<Instant> free = trial.start(all, trial.now());
        for (Map.Entry<String, Callable<Instant>> holding : others.holdings().entrySet()) {
            try (var presence = new Presence(others)) {
                Instant until = perform(holding.getKey(), holding.getValue());
                if (!isBefore(free, until)) {
                    throw new Skipped("All nodes are not free before " + until + " anyway; let " + holding.getKey()
                            + " last longer.");
                }
                if (!trial.becomes(() -> !isBefore(trial.start(all, trial.now()), until))) {
                    throw new Broken("Another has " + holding.getKey() + " until " + until
                            + ", and all nodes are offered before then.");
                }
                // Holdings of others must not hide ours: throws if its state cannot be told.
                trial.site.state(ours.id());
            }
        }
        return "Not offered: what others hold by " + others.holdings().keySet() + ".";
    }

    private static boolean isBefore(Optional<Instant> start, Instant until) {
        return start.filter(offered -> offered.isBefore(until)).isPresent();
    }

    /** {@link AdapterRule#O2}. */
    static String lostNodesShow(RuleTrial trial) throws LocalSchedulerException, InterruptedException, Broken, Skipped {
        Others others = others(trial);
        var ours = trial.reserveSomewhere();
        if (ours.nodeNames().isEmpty()) {
            throw new Skipped("The site does not name the nodes of a reservation before it begins.");
        }
        String victim = ours.nodeNames().get(0);
        try (var presence = new Presence(others)) {
            perform("node " + victim + " out of service", () -> {
                others.takeOut(victim);
                return Instant.EPOCH;
            });
            if (!trial.becomes(() -> isLost(trial.site.state(ours.id()), victim))) {
                throw new Broken("Node " + victim + " went out of service under " + ours.id()
                        + ", and its state does not say so.");
            }
            trial.site.cancel(ours.id());
            return victim + " showed as lost, and " + ours.id() + " was cancelled.";
        }
    }

    /** Whether the node is lost, or replaced by the site. */
    private static boolean isLost(ReservationStatus status, String node) {
        return status.lostNodes().contains(node)
                || !status.reservation().nodeNames().contains(node);
    }

    /** The acts of others until it is closed. A failure to end them does not hide that of the rule. */
    private record Presence(Others others) implements AutoCloseable {
        @Override
        public void close() throws Skipped {
            try {
                perform("the end of it", () -> {
                    others.leave();
                    return Instant.EPOCH;
                });
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Instant perform(String what, Callable<Instant> step) throws Skipped, InterruptedException {
        try {
            return step.call();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new Skipped("The kit could not bring about " + what + ": " + e.getMessage());
        }
    }
}
