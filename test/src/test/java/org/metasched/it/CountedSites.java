package org.metasched.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Many sites over HTTP and JSON behind one port, which remember each question: which server asked which site, for what, and when. A site has as
 * many running jobs as the version of what it publishes. Reservations do not begin, so that servers look at them often. Thread-safe.
 */
final class CountedSites implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int THREADS = 16;
    /** Of an ad: longer than a takeover takes. */
    private static final Duration LIFETIME = Duration.ofMinutes(1);

    /**
     * A question.
     *
     * @param at by {@link System#nanoTime}
     * @param of the operation: {@code load}, {@code state}
     */
    record Question(long at, int server, int site, String of) {}

    private final Queue<Question> questions = new ConcurrentLinkedQueue<>();
    private final List<AtomicInteger> versions;
    private final Map<String, ObjectNode> reservations = new ConcurrentHashMap<>();
    private final Set<Integer> silent = ConcurrentHashMap.newKeySet();
    private final Queue<HttpExchange> unanswered = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final HttpServer http;

    CountedSites(int count) throws IOException {
        versions = IntStream.range(0, count).mapToObj(i -> new AtomicInteger()).toList();
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
        http.createContext("/", this::answer);
        http.setExecutor(threads);
        http.start();
    }

    int count() {
        return versions.size();
    }

    /** The site as a server has it in its configuration: the address says which server asks. */
    String entry(int server, int site) {
        return "  - {site: s%d, scheduler: {type: http, url: 'http://127.0.0.1:%d/%d/%d/'}, publish: {max-matches: 10, every: 1s, lifetime: %ds}}%n"
                .formatted(site, http.getAddress().getPort(), server, site, LIFETIME.toSeconds());
    }

    /** The site publishes something new from now on. */
    void change(int site) {
        versions.get(site).incrementAndGet();
    }

    int version(int site) {
        return versions.get(site).get();
    }

    /** The site takes questions from now on, and answers none. */
    void silence(int site) {
        silent.add(site);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String[] path = exchange.getRequestURI().getPath().split("/");
        int site = Integer.parseInt(path[2]);
        questions.add(new Question(System.nanoTime(), Integer.parseInt(path[1]), site, path[3]));
        if (silent.contains(site)) {
            unanswered.add(exchange);
            return;
        }
        try (exchange) {
            var asked = JSON.readTree(exchange.getRequestBody());
            byte[] body = JSON.writeValueAsBytes(answer(site, path[3], asked));
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private ObjectNode answer(int site, String operation, JsonNode asked) {
        return switch (operation) {
            case "load" ->
                JSON.createObjectNode()
                        .put("totalNodes", 64)
                        .put("freeNodes", 64)
                        .put("runningJobs", version(site))
                        .put("waitingJobs", 0);
            case "earliest-start" -> JSON.createObjectNode().set("start", asked.get("notBefore"));
            case "reserve" ->
                reservations.computeIfAbsent(id(asked.path("key").asText()), id -> reservation(id, asked));
            case "find" ->
                JSON.createObjectNode()
                        .set(
                                "reservation",
                                reservations.get(id(asked.path("key").asText())));
            case "state" ->
                reservations.getOrDefault(
                        asked.path("id").asText(), JSON.createObjectNode().put("error", "unknown-reservation"));
            default -> JSON.createObjectNode();
        };
    }

    private static String id(String key) {
        return "r-" + key;
    }

    private static ObjectNode reservation(String id, JsonNode asked) {
        var start = Instant.parse(asked.path("start").asText());
        return JSON.createObjectNode()
                .put("id", id)
                .put("key", asked.path("key").asText())
                .put("start", start.toString())
                .put(
                        "end",
                        start.plusSeconds(asked.path("durationSeconds").asLong())
                                .toString())
                .put("nodes", asked.path("nodes").asInt())
                .put("coresPerNode", asked.path("coresPerNode").asInt())
                .put("state", "RESERVED");
    }

    /** The questions of a kind to each site since a time, in their order. */
    List<List<Question>> since(long begin, String of) {
        var bySite = new ArrayList<List<Question>>();
        versions.forEach(site -> bySite.add(new ArrayList<>()));
        questions.stream()
                .filter(one -> one.at() - begin >= 0 && one.of().equals(of))
                .forEach(one -> bySite.get(one.site()).add(one));
        return bySite;
    }

    /** Whether each site has been asked since a time by a server that is none of these. */
    boolean areAskedSince(long begin, String of, List<Integer> others) {
        return since(begin, of).stream()
                .allMatch(asked -> asked.stream().anyMatch(one -> !others.contains(one.server())));
    }

    @Override
    public void close() {
        unanswered.forEach(HttpExchange::close);
        http.stop(0);
        threads.shutdownNow();
    }
}
