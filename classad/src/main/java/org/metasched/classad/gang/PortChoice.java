package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.index.Candidates;
import org.metasched.classad.index.Place;

/** Which open port of a gang to bind next. */
interface PortChoice {

    /** The port to bind, and who may be bound to it. */
    record Chosen(Ask ask, Candidates candidates) {}

    /** What the ports that come into question ask; empty if no port is open. */
    List<Ask> asks(List<Member> members, List<Place.Conjunct> pending, GangPool pool);

    /** One of them, or null if there is a port that nobody can fill. */
    @Nullable
    Chosen choose(List<Ask> asks, GangSearch.Probes probes);

    /** In the order of the text: the ports of the newest member from left to right, then those of the one before. */
    PortChoice LEFT_TO_RIGHT = new PortChoice() {
        @Override
        public List<Ask> asks(List<Member> members, List<Place.Conjunct> pending, GangPool pool) {
            for (int i = members.size() - 1; i >= 0; i--) {
                for (Member.Slots slots : members.get(i).slots()) {
                    if (slots.isOpen()) {
                        return List.of(Ask.of(slots, pending, pool.index()));
                    }
                }
            }
            return List.of();
        }

        @Override
        public @Nullable Chosen choose(List<Ask> asks, GangSearch.Probes probes) {
            Ask ask = asks.get(0);
            return ask.hopeless() && !ask.slots().mayClose() ? null : new Chosen(ask, probes.ask(ask));
        }
    };

    /**
     * The port with the fewest candidates, after asking the index for each; at the first port without any, the search turns back.
     * A request that found nobody is not asked again in a cycle, since a cycle only takes offers away.
     */
    PortChoice FEWEST_FIRST = new PortChoice() {
        @Override
        public List<Ask> asks(List<Member> members, List<Place.Conjunct> pending, GangPool pool) {
            var asks = new ArrayList<Ask>();
            for (Member member : members) {
                for (Member.Slots slots : member.slots()) {
                    if (slots.isOpen()) {
                        asks.add(Ask.of(slots, pending, pool.index()));
                    }
                }
            }
            return asks;
        }

        @Override
        public @Nullable Chosen choose(List<Ask> asks, GangSearch.Probes probes) {
            for (Ask ask : asks) {
                if (!ask.slots().mayClose() && (ask.hopeless() || probes.isExhausted(ask.request()))) {
                    return null;
                }
            }
            Chosen best = null;
            int fewest = Integer.MAX_VALUE;
            for (Ask ask : asks) {
                Candidates candidates = probes.ask(ask);
                int free = probes.countFree(ask.request(), candidates);
                if (free == 0 && !ask.slots().mayClose()) {
                    return null;
                }
                if (best == null || free < fewest) {
                    best = new Chosen(ask, candidates);
                    fewest = free;
                }
            }
            return best;
        }
    };
}
