package org.metasched.cli.agreement;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.metasched.adapter.command.ShellQuoting;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.server.ServerOption;
import org.metasched.client.AgreementClient;
import org.w3c.dom.Document;

/**
 * Prints the advice about an offer: the best plans, or the nearest requests that would be granted, each as a command that makes
 * it.
 *
 * @param common options of each of these commands beside the request; empty if no command makes all of the offer
 * @param workflow file of the requested workflow, if the request is one
 */
record OfferAdvicePrinter(
        OutputOptions output, ServerOption server, Optional<List<String>> common, Optional<Path> workflow) {

    private static final int PICTURE_WIDTH = 40;
    /** The changes of a request that need no change of a workflow's file. */
    private static final Set<String> TIMES = Set.of("again", "later", "earlier");

    /** Prints at most {@code most} plans, the best first. If there is none, returns 1, and prints the nearest requests with {@code explain}. */
    int dryRun(Document offer, int most, boolean explain) throws InterruptedException {
        JsonNode advice = ask(offer, most, explain);
        boolean granted = advice.path("granted").asBoolean();
        if (output.json()) {
            output.printJson(advice);
        } else if (granted) {
            print(advice);
        } else {
            output.err().println("metasched: " + shown(advice, "code") + ": " + lines(advice, "reason"));
            if (explain) {
                printNearest(advice);
            } else {
                output.err().println("Maybe --explain finds a similar request that would be granted.");
                output.err().flush();
            }
        }
        return granted ? 0 : ExitCodeException.NO;
    }

    /** Prints the nearest requests that would be granted instead of one that was refused. */
    int explain(Document offer, ExitCodeException refusal) throws InterruptedException {
        JsonNode advice = ask(offer, 1, true);
        if (output.json()) {
            output.printJson(
                    ((ObjectNode) advice).put("exit", ExitCodeException.NO).put("error", refusal.getMessage()));
        } else {
            output.err().println("metasched: " + refusal.getMessage());
            printNearest(advice);
        }
        return ExitCodeException.NO;
    }

    private JsonNode ask(Document offer, int most, boolean nearest) throws InterruptedException {
        JsonNode advice =
                server.post("/services/Plans?most=" + most + "&nearest=" + nearest, AgreementClient.text(offer));
        for (JsonNode change : advice.path("nearest")) {
            command(shown(change, "change"), change.path("request")).ifPresent(words -> {
                ArrayNode command = ((ObjectNode) change).putArray("command");
                words.forEach(command::add);
            });
        }
        return advice;
    }

    private void print(JsonNode advice) {
        Instant first = instants(advice, "start").min(Instant::compareTo).orElseThrow();
        Instant last = instants(advice, "end").max(Instant::compareTo).orElseThrow();
        line("START", "END", "RANK", "COST", "WHEN", "SITES");
        for (JsonNode plan : advice.path("plans")) {
            Map<String, List<JsonNode>> stages = new LinkedHashMap<>();
            plan.path("sites")
                    .forEach(piece -> stages.computeIfAbsent(shown(piece, "stage"), s -> new ArrayList<>())
                            .add(piece));
            boolean hasStages = plan.path("sites").findValuesAsText("start").stream()
                            .distinct()
                            .count()
                    > 1;
            row(first, last, plan, hasStages ? stages.size() + " stages" : sites(plan.path("sites")));
            stages.forEach((name, pieces) -> {
                if (hasStages) {
                    row(first, last, pieces.get(0), name + ": " + sites(pieces));
                }
            });
        }
        output.out().flush();
        if (!advice.path("proven").asBoolean()) {
            output.say(
                    "These are the best that were found; the search was cut off before it was certain that no other is"
                            + " better.");
        }
        output.say("Nothing is held.");
    }

    private void row(Instant first, Instant last, JsonNode slot, String sites) {
        var start = Instant.parse(slot.path("start").asText());
        var end = Instant.parse(slot.path("end").asText());
        line(
                start,
                end,
                slot.has("rank") ? number(slot.path("rank")) : "",
                slot.has("cost") ? number(slot.path("cost")) : "",
                picture(first, last, start, end),
                sites);
    }

    private void line(Object... cells) {
        output.out().printf("%-21s %-21s %8s %8s  %-" + PICTURE_WIDTH + "s  %s%n", cells);
    }

    private static Stream<Instant> instants(JsonNode advice, String key) {
        return advice.path("plans")
                .valueStream()
                .map(plan -> Instant.parse(plan.path(key).asText()));
    }

    private static String number(JsonNode value) {
        return value.asDouble() == Math.rint(value.asDouble())
                ? Long.toString(value.asLong())
                : String.format(Locale.ROOT, "%.2f", value.asDouble());
    }

    private static String sites(Iterable<JsonNode> pieces) {
        return StreamSupport.stream(pieces.spliterator(), false)
                .map(site -> shown(site, "site") + " (" + shown(site, "need") + ")")
                .collect(Collectors.joining(", "));
    }

    /** A drawing of the slot in the span of all plans. */
    private static String picture(Instant first, Instant last, Instant start, Instant end) {
        double span = Math.max(1, Duration.between(first, last).toSeconds());
        int from = (int) (PICTURE_WIDTH * Duration.between(first, start).toSeconds() / span);
        int until = (int) Math.ceil(PICTURE_WIDTH * Duration.between(first, end).toSeconds() / span);
        from = Math.min(from, PICTURE_WIDTH - 1);
        until = Math.max(from + 1, Math.min(until, PICTURE_WIDTH));
        return ".".repeat(from) + "#".repeat(until - from) + ".".repeat(PICTURE_WIDTH - until);
    }

    private void printNearest(JsonNode advice) {
        output.err().flush();
        if (advice.path("nearest").isEmpty()) {
            output.say("No similar request was found that would be granted.");
            return;
        }
        output.say("Each of these would be granted if sent within five minutes and no site changes:");
        for (JsonNode change : advice.path("nearest")) {
            output.out()
                    .println("# " + shown(change, "change") + ": " + shown(change, "words") + "; from "
                            + shown(change.path("plan"), "start") + " at "
                            + sites(change.path("plan").path("sites")));
            if (change.has("command")) {
                output.out()
                        .println(ShellQuoting.line(change.path("command")
                                .valueStream()
                                .map(word -> OutputOptions.plain(word.asText()))
                                .toList()));
            }
        }
        output.out().flush();
    }

    /** The words of a command that makes the request; empty if it takes an offer in XML, or a change of the workflow's file. */
    private Optional<List<String>> command(String change, JsonNode request) {
        if (common.isEmpty()) {
            return Optional.empty();
        }
        var words = new ArrayList<>(List.of("metasched", "reserve"));
        if (request.has("workflow")) {
            if (workflow.isEmpty() || !TIMES.contains(change)) {
                return Optional.empty();
            }
            words.addAll(List.of("--workflow", workflow.get().toString()));
        } else {
            String duration = request.path("parts").path(0).path("duration").asText();
            for (JsonNode part : request.path("parts")) {
                if (!part.path("duration").asText().equals(duration)) {
                    return Optional.empty();
                }
                words.addAll(
                        part.has("site")
                                ? List.of("--site", part.path("site").asText() + ":" + amount(part, "licences"))
                                : List.of("--need", need(part)));
            }
            words.addAll(List.of("--duration", duration));
        }
        for (String key : List.of("earliest", "deadline", "prefer")) {
            if (request.has(key)) {
                words.addAll(List.of("--" + key, request.path(key).asText()));
            }
        }
        words.addAll(common.get());
        return Optional.of(words);
    }

    private static String need(JsonNode part) {
        String kind = part.has("nodes") ? "cpu" : part.has("bandwidth") ? "network" : "licence";
        String requirements = part.path("requirements").asText("true");
        return kind + ":" + amount(part, "count")
                + (part.has("rank") ? ",Rank=" + part.path("rank").asText() : "")
                + (requirements.equals("true") ? "" : ",Requirements=" + requirements);
    }

    private static String amount(JsonNode part, String licenceKey) {
        if (part.has("bandwidth")) {
            return "bandwidth=" + part.path("bandwidth").asInt();
        } else if (part.has("feature")) {
            return licenceKey + "=" + part.path("licences").asInt() + ",feature="
                    + part.path("feature").asText();
        }
        String properties =
                part.path("properties").valueStream().map(JsonNode::asText).collect(Collectors.joining("+"));
        var split = part.path("split");
        return (split.isMissingNode() ? "nodes=" : "total=")
                + part.path("nodes").asInt()
                + option(split, "leastPiece", "min-part", 0)
                + option(split, "mostPieces", "max-parts", 0)
                + option(split, "multipleOf", "multiple", 0)
                + option(split, "overhead", "overhead", 0)
                + option(part, "cores", "cores", 1)
                + (properties.isEmpty() ? "" : ",properties=" + properties);
    }

    /** A number as a further part of a request; empty if it is missing or the usual one. */
    private static String option(JsonNode node, String key, String name, int usual) {
        int value = node.path(key).asInt(usual);
        return value == usual ? "" : "," + name + "=" + value;
    }

    private static String lines(JsonNode node, String key) {
        return node.path(key).asText().lines().map(OutputOptions::plain).collect(Collectors.joining("\n"));
    }

    private static String shown(JsonNode node, String key) {
        return OutputOptions.plain(node.path(key).asText());
    }
}
