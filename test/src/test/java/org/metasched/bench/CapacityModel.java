package org.metasched.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.metasched.bench.QueueNetwork.Kind;
import org.metasched.bench.QueueNetwork.Step;

/**
 * A model of servers on one PostgreSQL. Takes the prices of a server, an ad and an offer from those lines of {@code CapacityBench} that are of
 * one and two servers. Prints as JSON these prices; for lines of more servers each figure of a second, predicted and measured; for a plan its
 * figures, the share of each limit that it uses, and the rate of offers at which the first limit is used by 70 %. A simulation of the servers,
 * their pools and the database as queues says from which rate the 99th percentile of an offer's time is twice that of low load.
 *
 * <p>Arguments: file of lines, servers (100), sites (10000), offers a minute (6000), connections of a pool (10), cores of a server (2) and of
 * the database (16), MB of write-ahead log a second (50), connections of the database (2000).
 */
public final class CapacityModel {

    private static final List<String> FIGURES = List.of(
            "transactions", "statements", "walBytes", "databaseMillis", "serverMillis", "benchMillis", "questions");
    private static final int[] DEFAULT = {100, 10_000, 6000, 10, 2, 16, 50, 2000};
    /** Transactions a second of a server that exchanges ads in each turn: it writes and reads four times. */
    private static final double MOST_EXCHANGES = 8;

    private static final double USED = 0.7;
    private static final int JOBS = 40_000;

    private final Map<String, Price> prices = new LinkedHashMap<>();
    private final Map<String, Double> ends = new LinkedHashMap<>();
    private final double median;

    /** Ads of all sites and offers, a second. */
    record Load(int servers, double ads, double offers) {}

    /**
     * The coefficients of a figure.
     *
     * @param fixed a second; {@code server} a second of each server
     * @param ad of an ad at the server that makes it; {@code otherAd} at each other one
     */
    record Price(double fixed, double server, double ad, double otherAd, double offer) {

        double ads(Load load) {
            return load.ads * (ad + otherAd * (load.servers - 1));
        }

        double of(Load load) {
            return fixed + server * load.servers + ads(load) + offer * load.offers;
        }
    }

    CapacityModel(List<JsonNode> lines) {
        FIGURES.forEach(figure -> prices.put(figure, price(figure, lines)));
        lines.stream()
                .filter(line -> line.path("phase").asText().equals("ends"))
                .forEach(line -> FIGURES.forEach(figure -> ends.put(
                        figure,
                        Math.max(0, (rate(figure, line) - predicted(figure, load(line, 0))) / load(line).offers))));
        median = offers(lines)
                .mapToDouble(line -> line.path("p50Millis").asDouble() / 1000)
                .min()
                .orElseThrow();
    }

    double predicted(String figure, Load load) {
        var price = prices.get(figure);
        double above = price.ads(load) - MOST_EXCHANGES * load.servers;
        return price.of(load) - (figure.equals("transactions") ? Math.max(0, above) : 0);
    }

    private double offer(String figure) {
        return prices.get(figure).offer;
    }

    /** With the ends of as many agreements as are made. */
    private double planned(String figure, Load load) {
        return predicted(figure, load) + ends.getOrDefault(figure, 0.0) * load.offers;
    }

    private static Load load(JsonNode line) {
        return load(line, line.path("offers").asDouble() / line.path("seconds").asDouble());
    }

    private static Load load(JsonNode line, double offers) {
        return new Load(
                line.path("servers").asInt(),
                line.path("sites").asDouble() / line.path("advertiseSeconds").asDouble(),
                offers);
    }

    private static double rate(String figure, JsonNode line) {
        return line.path(figure).asDouble() / line.path("seconds").asDouble();
    }

    private static Stream<JsonNode> offers(List<JsonNode> lines) {
        return lines.stream().filter(line -> load(line).offers > 0 && load(line).servers < 3);
    }

    /** The idle lines of so many servers, the one with the fewest ads first. */
    private static List<JsonNode> idle(List<JsonNode> lines, int servers) {
        return lines.stream()
                .filter(line -> load(line).offers == 0 && load(line).servers == servers)
                .sorted((a, b) -> Double.compare(load(a).ads, load(b).ads))
                .toList();
    }

    private static double perAd(String figure, List<JsonNode> idle) {
        var few = idle.get(0);
        var many = idle.get(idle.size() - 1);
        return (rate(figure, many) - rate(figure, few)) / (load(many).ads - load(few).ads);
    }

    private static Price price(String figure, List<JsonNode> lines) {
        var alone = idle(lines, 1);
        var pair = idle(lines, 2);
        double ad = Math.max(0, perAd(figure, alone));
        double otherAd = Math.max(0, perAd(figure, pair) - ad);
        double ads = load(alone.get(0)).ads;
        double server = Math.max(0, rate(figure, pair.get(0)) - rate(figure, alone.get(0)) - otherAd * ads);
        var idle = new Price(rate(figure, alone.get(0)) - server - ad * ads, server, ad, otherAd, 0);
        double offer = offers(lines)
                .mapToDouble(line -> (rate(figure, line) - idle.of(load(line))) / load(line).offers)
                .average()
                .orElseThrow();
        return new Price(idle.fixed, server, ad, otherAd, offer);
    }

    /** Figures of a second, predicted and measured. */
    private Map<String, Object> check(JsonNode line) {
        var load = load(line);
        var out = new LinkedHashMap<String, Object>();
        out.put("check", load);
        FIGURES.forEach(figure -> out.put(figure, List.of(round(predicted(figure, load)), round(rate(figure, line)))));
        if (load.offers > 0) {
            double[] took = shared(line.path("offersAMinute").asDouble() / 60);
            out.put("p50Millis", List.of(percentile(took, 0.5), line.path("p50Millis")));
            out.put("p99Millis", List.of(percentile(took, 0.99), line.path("p99Millis")));
        }
        return out;
    }

    /** Servers, database, sites and clients on two cores, as they are measured. */
    private double[] shared(double rate) {
        double service = (offer("serverMillis") + offer("databaseMillis") + offer("benchMillis")) / 3000;
        var rest = new Step(Kind.WAIT, 0, Math.max(0, median - 3 * service) / 2);
        var busy = new Step(Kind.SERVE, 0, service);
        return QueueNetwork.simulate(new int[] {2}, List.of(List.of(busy, rest, busy, rest, busy)), rate, JOBS, 1);
    }

    /** Servers of their own cores, each with a pool, before a database of its own cores. */
    private double[] apart(int[] plan, double rate) {
        int servers = plan[0];
        int[] places = new int[2 * servers + 1];
        var routes = new ArrayList<List<Step>>();
        double database = offer("databaseMillis") / 2000;
        double processor = offer("serverMillis") / 3000;
        var query = new Step(Kind.SERVE, 2 * servers, database);
        var rest = new Step(Kind.WAIT, 0, Math.max(0, median - 3 * processor - 2 * database) / 2);
        for (int i = 0; i < servers; i++) {
            places[2 * i] = plan[4];
            places[2 * i + 1] = plan[3];
            var busy = new Step(Kind.SERVE, 2 * i, processor);
            var take = new Step(Kind.TAKE, 2 * i + 1, 0);
            var give = new Step(Kind.GIVE, 2 * i + 1, 0);
            routes.add(List.of(busy, take, query, rest, give, busy, take, query, rest, give, busy));
        }
        places[2 * servers] = plan[5];
        return QueueNetwork.simulate(places, routes, rate, JOBS, 1);
    }

    private static double percentile(double[] seconds, double share) {
        double[] sorted = Arrays.copyOfRange(seconds, seconds.length / 10, seconds.length);
        Arrays.sort(sorted);
        return round(1000 * sorted[(int) (sorted.length * share)]);
    }

    private static double round(double value) {
        return Math.round(value * 100) / 100.0;
    }

    private Map<String, Object> plan(int[] plan) {
        var load = new Load(plan[0], plan[1] / 60.0, plan[2] / 60.0);
        var out = new LinkedHashMap<String, Object>(Map.of("plan", plan));
        double connections = plan[0] * (plan[3] + 1.0) + 10;
        out.put("connections", connections);
        FIGURES.forEach(figure -> out.put(figure + "ASecond", round(planned(figure, load))));
        out.put("questionsOfASiteAMinute", round((planned("questions", load) + load.ads) * 60 / plan[1]));
        var limits = Map.of(
                "serverMillis", 1e3 * plan[0] * plan[4], "databaseMillis", 1e3 * plan[5], "walBytes", 1e6 * plan[6]);
        var used = new LinkedHashMap<String, Double>(Map.of("connections", round(connections / plan[7])));
        double most = Double.MAX_VALUE;
        for (var limit : limits.entrySet()) {
            double idle = planned(limit.getKey(), new Load(plan[0], load.ads, 0));
            used.put(limit.getKey(), round(planned(limit.getKey(), load) / limit.getValue()));
            double room =
                    (USED * limit.getValue() - idle) / (offer(limit.getKey()) + ends.getOrDefault(limit.getKey(), 0.0));
            if (room < most) {
                most = room;
                out.put("firstLimitOfOffers", limit.getKey());
            }
        }
        out.put("usedShares", used);
        out.put("offersAMinuteAtFirstLimit", Math.round(most * 60));
        bend(out, plan, most / USED);
        return out;
    }

    private void bend(Map<String, Object> out, int[] plan, double full) {
        double low = percentile(apart(plan, full / 10), 0.99);
        double share = 0.1;
        while (share < 5 && percentile(apart(plan, share * full), 0.99) < 2 * low) {
            share += 0.05;
        }
        out.put("p99MillisAtTenth", low);
        out.put("p99DoublesAtOffersAMinute", Math.round(share * full * 60));
    }

    public static void main(String[] arguments) throws IOException {
        var json = new ObjectMapper();
        var lines = new ArrayList<JsonNode>();
        for (var line : Files.readAllLines(Path.of(arguments[0]))) {
            lines.add(json.readTree(line));
        }
        var model = new CapacityModel(lines);
        System.out.println(json.writeValueAsString(
                Map.of("prices", model.prices, "ends", model.ends, "p50Millis", 1000 * model.median)));
        for (var line : lines) {
            if (load(line).servers > 2 && !line.path("phase").asText().equals("ends")) {
                System.out.println(json.writeValueAsString(model.check(line)));
            }
        }
        int[] plan = DEFAULT.clone();
        for (int i = 1; i < arguments.length; i++) {
            plan[i - 1] = Integer.parseInt(arguments[i]);
        }
        System.out.println(json.writeValueAsString(model.plan(plan)));
    }
}
