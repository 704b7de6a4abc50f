package org.metasched.adapter;

import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/** An amount of one kind of resource, wanted or granted. */
public sealed interface Need {

    /** The largest amount of any resource in one request. */
    int MOST = 10_000_000;

    /**
     * Whole compute nodes.
     *
     * @param count nodes, at least 1
     * @param coresPerNode cores wanted on each, at least 1
     * @param properties properties that every node must have (a feature, a queue, an architecture), in the site's own words
     */
    record Nodes(int count, int coresPerNode, SortedSet<String> properties) implements Need {

        public Nodes {
            atLeastOne("number of nodes", count);
            atLeastOne("number of cores per node", coresPerNode);
            properties = Collections.unmodifiableSortedSet(new TreeSet<>(properties));
        }

        public Nodes(int count) {
            this(count, 1, Collections.emptySortedSet());
        }
    }

    /**
     * A share of a network link from end to end, as the optical network of VIOLA offers it.
     *
     * @param megabitsPerSecond guaranteed in both directions, at least 1
     */
    record Bandwidth(int megabitsPerSecond) implements Need {

        public Bandwidth {
            atLeastOne("bandwidth in Mbit/s", megabitsPerSecond);
        }
    }

    /**
     * Licences of one application.
     *
     * @param feature the name that the licence server knows
     * @param count licences, at least 1
     */
    record Licences(String feature, int count) implements Need {

        public Licences {
            if (feature.isBlank() || feature.length() > 128) {
                throw new IllegalArgumentException(
                        "The licence feature (" + DisplayText.of(feature) + ") must be 1 to 128 characters.");
            }
            atLeastOne("number of licences", count);
        }
    }

    /**
     * The result of the function for the kind of this need. A new kind of need adds a parameter, so that no caller
     * compiles until it handles the new kind.
     */
    default <T> T fold(Function<Nodes, T> nodes, Function<Bandwidth, T> bandwidth, Function<Licences, T> licences) {
        if (this instanceof Nodes compute) {
            return nodes.apply(compute);
        }
        return this instanceof Bandwidth link ? bandwidth.apply(link) : licences.apply((Licences) this);
    }

    /** The number of compute nodes; 0 for any other resource. */
    default int nodeCount() {
        return asNodes().map(Nodes::count).orElse(0);
    }

    /** Node-hours of a reservation of this length. */
    default double nodeHours(Duration length) {
        return nodeCount() * (length.toMillis() / 3_600_000.0);
    }

    /** The need, if it is for compute nodes. */
    default Optional<Nodes> asNodes() {
        return fold(Optional::of, bandwidth -> Optional.empty(), licences -> Optional.empty());
    }

    /** The amount in the need's own unit: nodes, Mbit/s, licences. */
    default int amount() {
        return fold(Nodes::count, Bandwidth::megabitsPerSecond, Licences::count);
    }

    /**
     * The same need in another amount.
     *
     * @param amount from 1 to {@link #MOST}, in the need's own unit
     */
    default Need withAmount(int amount) {
        return fold(
                nodes -> new Nodes(amount, nodes.coresPerNode(), nodes.properties()),
                bandwidth -> new Bandwidth(amount),
                licences -> new Licences(licences.feature(), amount));
    }

    /** Words for messages: {@code 4 nodes with 2 cores each with [gpu]}, {@code 100 Mbit/s}, {@code 1 licence of matlab}. */
    default String words() {
        return fold(
                nodes -> DisplayText.count(nodes.count(), "node")
                        + (nodes.coresPerNode() == 1 ? "" : " with " + nodes.coresPerNode() + " cores each")
                        + (nodes.properties().isEmpty() ? "" : " with " + nodes.properties()),
                bandwidth -> bandwidth.megabitsPerSecond() + " Mbit/s",
                licences -> DisplayText.count(licences.count(), "licence") + " of " + licences.feature());
    }

    private static void atLeastOne(String what, int value) {
        if (value < 1 || value > MOST) {
            throw new IllegalArgumentException("The " + what + " (" + value + ") must be from 1 to " + MOST + ".");
        }
    }
}
