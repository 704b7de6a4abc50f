package org.metasched.simulation.stream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.metasched.adapter.Need;
import org.metasched.adapter.ResourceRequest;
import org.metasched.negotiation.CoAllocationRequest.SitePart;
import org.metasched.simulation.scenario.SiteScenario;
import org.metasched.simulation.scenario.StreamScenario;

/**
 * The request of a meta-job, without its time.
 *
 * @param nodes number of nodes at each site, in the order of the sites
 * @param run share of the duration that the job uses, 0 to 1
 */
record MetaJobShape(List<SiteScenario> sites, List<Integer> nodes, Duration duration, double run) {

    /** Draws sites, nodes, duration and used share of one meta-job. */
    static MetaJobShape draw(StreamScenario stream, List<SiteScenario> all, Random random) {
        var chosen = choose(stream, all, random);
        var nodes = new ArrayList<Integer>();
        if (stream.byTotal()) {
            int machines = chosen.stream().mapToInt(SiteScenario::nodes).sum();
            nodes.addAll(split(stream.nodes().draw(random, machines), chosen));
        } else {
            chosen.forEach(site -> nodes.add(stream.nodes().draw(random, most(site))));
        }
        var duration =
                Duration.ofSeconds(Math.max(1, Math.round(stream.duration().draw(random))));
        return new MetaJobShape(chosen, nodes, duration, stream.run().draw(random));
    }

    /** Most nodes that a part asks of a site: those that the site lets reservations hold, and one where it lets them hold none. */
    private static int most(SiteScenario site) {
        return Math.max(1, site.reservable());
    }

    /** Draws the sites of one meta-job among the stream's candidates. */
    static List<SiteScenario> choose(StreamScenario stream, List<SiteScenario> all, Random random) {
        int count = (int) Math.max(1, Math.round(stream.parts().draw(random)));
        var remaining = new ArrayList<>(stream.sites());
        var chosen = new ArrayList<SiteScenario>();
        while (chosen.size() < count && !remaining.isEmpty()) {
            chosen.add(all.get(remaining.remove(random.nextInt(remaining.size()))));
        }
        return chosen;
    }

    /** Splits nodes in proportion to the machines, at least one node each; nodes left over by rounding go to the first sites with room. */
    static List<Integer> split(int total, List<SiteScenario> sites) {
        long machines = sites.stream().mapToLong(SiteScenario::nodes).sum();
        var nodes = new ArrayList<Integer>();
        int assigned = 0;
        for (var site : sites) {
            int part = (int) Math.max(1, Math.min(most(site), (long) total * site.nodes() / machines));
            nodes.add(part);
            assigned += part;
        }
        for (int i = 0; i < nodes.size() && assigned < total; i++) {
            int more = Math.min(total - assigned, most(sites.get(i)) - nodes.get(i));
            nodes.set(i, nodes.get(i) + more);
            assigned += more;
        }
        return nodes;
    }

    /** Node seconds that it asks for. */
    double nodeSeconds() {
        return (double) duration.toSeconds()
                * nodes.stream().mapToLong(Integer::longValue).sum();
    }

    /** Time for which the job uses its nodes. */
    Duration used() {
        return Duration.ofSeconds(Math.max(1, Math.round(duration.toSeconds() * run)));
    }

    /** The parts, one after the other or all at once, with the bandwidth and the licences beside the nodes. */
    List<SitePart> parts(StreamScenario stream) {
        var parts = new ArrayList<SitePart>();
        for (int i = 0; i < sites.size(); i++) {
            var site = sites.get(i);
            var offset = stream.chain() ? duration.multipliedBy(i) : Duration.ZERO;
            parts.add(part(site, new Need.Nodes(nodes.get(i)), offset));
            if (stream.beside().bandwidth() > 0 && site.bandwidth() > 0) {
                parts.add(part(site, new Need.Bandwidth(stream.beside().bandwidth()), offset));
            }
            for (Map.Entry<String, Integer> licence : stream.beside().licences().entrySet()) {
                if (site.licences().containsKey(licence.getKey()) && licence.getValue() > 0) {
                    parts.add(part(site, new Need.Licences(licence.getKey(), licence.getValue()), offset));
                }
            }
        }
        return parts;
    }

    private SitePart part(SiteScenario site, Need need, Duration offset) {
        return new SitePart(site.id(), new ResourceRequest(need, duration, Optional.empty()), offset);
    }
}
