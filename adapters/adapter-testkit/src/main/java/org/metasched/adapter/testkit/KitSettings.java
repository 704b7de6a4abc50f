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
 * Behaviour of the kit towards a site. On a live one: a small request, in the near future, in a queue or with properties set aside
 * for it.
 *
 * @param request what is asked for and reserved again and again
 * @param lead from now to the first start the kit asks for
 * @param clock the site's idea of now
 * @param timeTravel moves the clock of the site, where it can be moved; else the rules that need it are skipped
 * @param processes how many processes the adapter has started, where that is counted; else the rule that needs it is skipped
 * @param others plays other users and the operator, where the kit may; else the rules that need them are skipped
 */
public record KitSettings(
        ResourceRequest request,
        Duration lead,
        Clock clock,
        Optional<TimeTravel> timeTravel,
        Optional<LongSupplier> processes,
        Optional<Others> others) {

    /** Lets time pass at the site and in {@link KitSettings#clock()}. */
    @FunctionalInterface
    public interface TimeTravel {
        void advance(Duration time);
    }

    /** Actions at a site outside its adapter, done by the scheduler's own commands. */
    public interface Others {

        /**
         * Holdings that another user can have there, by name: a job, an array, a reservation, one of cores. Each step begins it,
         * waits until the scheduler shows it, and returns until when at least one node is taken.
         */
        Map<String, Callable<Instant>> holdings();

        /** Takes a node out of service. */
        void takeOut(String node) throws Exception;

        /** Ends all of it, and brings back the nodes. */
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

    /** The same where others can be played. */
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
