package org.metasched.bench;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A network of queues, simulated event by event. Jobs come as a Poisson process and take one of several routes at random; each station has so many
 * equal places and serves in the order of arrival; the times of service and of waits are exponential. Not thread-safe.
 */
final class QueueNetwork {

    private final Random random;
    private final int[] free;
    private final List<Deque<Job>> queues;
    private final PriorityQueue<Event> events = new PriorityQueue<>(Comparator.comparingDouble(Event::at));
    private final double[] took;
    private int left;

    /** A kind of step: to be served, to take a place and keep it, to give it back, to wait without a place. */
    enum Kind {
        SERVE,
        TAKE,
        GIVE,
        WAIT
    }

    /** @param mean seconds of a service or a wait */
    record Step(Kind kind, int station, double mean) {}

    private record Event(double at, Job job) {}

    private static final class Job {
        private final int number;
        private final double arrived;
        private final List<Step> route;
        private int next;
        private boolean served;

        private Job(int number, double arrived, List<Step> route) {
            this.number = number;
            this.arrived = arrived;
            this.route = route;
        }
    }

    private QueueNetwork(int[] places, int jobs, long seed) {
        this.random = new Random(seed);
        this.free = places.clone();
        this.queues = IntStream.of(places)
                .mapToObj(one -> (Deque<Job>) new ArrayDeque<Job>())
                .toList();
        this.took = new double[jobs];
    }

    /**
     * Seconds that each job spent in the network, in the order of arrival.
     *
     * @param places of each station
     * @param rate jobs a second
     */
    static double[] simulate(int[] places, List<List<Step>> routes, double rate, int jobs, long seed) {
        var network = new QueueNetwork(places, jobs, seed);
        double arrival = 0;
        for (int i = 0; i < jobs; i++) {
            arrival += network.exponential(1 / rate);
            var route = routes.get(network.random.nextInt(routes.size()));
            network.events.add(new Event(arrival, new Job(i, arrival, route)));
        }
        while (network.left < jobs) {
            var event = network.events.remove();
            network.advance(event.job, event.at);
        }
        return network.took;
    }

    private double exponential(double mean) {
        return -Math.log(1 - random.nextDouble()) * mean;
    }

    /** Takes a job from the end of a service or wait, or from its arrival, to the next point at which time passes. */
    private void advance(Job job, double now) {
        if (job.served) {
            job.served = false;
            release(job.route.get(job.next++).station, now);
        }
        while (job.next < job.route.size()) {
            var step = job.route.get(job.next);
            if (step.kind == Kind.GIVE) {
                job.next++;
                release(step.station, now);
            } else if (step.kind == Kind.WAIT) {
                job.next++;
                events.add(new Event(now + exponential(step.mean), job));
                return;
            } else if (free[step.station] == 0) {
                queues.get(step.station).add(job);
                return;
            } else {
                free[step.station]--;
                if (occupy(job, step, now)) {
                    return;
                }
            }
        }
        took[job.number] = now - job.arrived;
        left++;
    }

    /** Whether time passes at the place that the job has got. */
    private boolean occupy(Job job, Step step, double now) {
        if (step.kind == Kind.TAKE) {
            job.next++;
            return false;
        }
        job.served = true;
        events.add(new Event(now + exponential(step.mean), job));
        return true;
    }

    private void release(int station, double now) {
        var first = queues.get(station).poll();
        if (first == null) {
            free[station]++;
        } else if (!occupy(first, first.route.get(first.next), now)) {
            advance(first, now);
        }
    }
}
