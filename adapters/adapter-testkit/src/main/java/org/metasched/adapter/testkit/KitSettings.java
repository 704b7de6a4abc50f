package org.metasched.adapter.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import org.metasched.adapter.ResourceRequest;

/**
 * Settings by which the kit treats a site. For a live site, choose a small request in the near future, in a queue or with properties that
 * are set aside for the kit.
 *
 * @param request the request of the rules; some also ask for more nodes or a longer time
 * @param lead time from now to the first start that the kit asks for
 * @param clock clock of the site
 * @param timeTravel way to move the clock of the site; without it the rules that need it wait in real time, and are skipped if
 *     that would take too long
 * @param processes count of processes that the adapter has started so far; without it the rule that needs it is skipped
 * @param others actions of other users and of the operator; without them the rules that need them are skipped
 */
public record KitSettings(
        ResourceRequest request,
        Duration lead,
        Clock clock,
        Optional<TimeTravel> timeTravel,
        Optional<LongSupplier> processes,
        Optional<Others> others) {

    /** Moves time at the site and in {@link KitSettings#clock()}. */
    @FunctionalInterface
    public interface TimeTravel {
        void advance(Duration time);
    }

    /** Actions at a site outside its adapter, done by the scheduler's own commands. */
    public interface Others {

        /**
         * Holdings that another user can have there, by name: a job, an array, a reservation of nodes or of cores. Each {@code Callable} begins one,
         * waits until the scheduler shows it, and returns the end of the time in which at least one node is taken.
         */
        Map<String, Callable<Instant>> holdings();

        /** Takes a node out of service. */
        void takeOut(String node) throws Exception;

        /** Ends all holdings, and brings the nodes back into service. */
        void leave() throws Exception;
    }

    public KitSettings {
        if (lead.isNegative()) {
            throw new IllegalArgumentException("The lead (" + lead + ") must not be negative.");
        }
    }

    /** Settings for an adapter whose processes are not counted. */
    public KitSettings(ResourceRequest request, Duration lead, Clock clock, Optional<TimeTravel> timeTravel) {
        this(request, lead, clock, timeTravel, Optional.empty(), Optional.empty());
    }

    /** The same settings with actions of others. */
    public KitSettings with(Others played) {
        return new KitSettings(request, lead, clock, timeTravel, processes, Optional.of(played));
    }

    /** One node for ten minutes, half an hour from now, in real time. */
    public static KitSettings usual() {
        return live(ResourceRequest.nodes(1, Duration.ofMinutes(10)), Duration.ofMinutes(30));
    }

    /** Settings for a site in real time, which the kit cannot move. */
    public static KitSettings live(ResourceRequest request, Duration lead) {
        return new KitSettings(request, lead, Clock.systemUTC(), Optional.empty());
    }
}
