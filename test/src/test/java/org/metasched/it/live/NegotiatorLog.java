package org.metasched.it.live;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Cycles of a real negotiator, from its log with D_FULLDEBUG. Its times count from one another: the zone is taken for UTC. */
final class NegotiatorLog {

    private static final Pattern LINE = Pattern.compile("^(\\d\\d/\\d\\d/\\d\\d \\d\\d:\\d\\d:\\d\\d) (.*)$");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("MM/dd/yy HH:mm:ss", Locale.ROOT);
    private static final Pattern TURN = Pattern.compile("^ *Negotiating with (\\S+) at <");
    private static final Pattern WEIGHT = Pattern.compile("^ *slotWeightTotal = ([0-9.]+)");
    private static final Pattern FIGURE = Pattern.compile(
            "^ *(SubmitterPrio|SubmitterPrioFactor|submitterShare|submitterLimit|submitterUsage) += ([0-9.]+)");

    /**
     * A submitter's figures as its first turn of a cycle begins.
     *
     * @param priority effective
     * @param limit share of the pool less use
     */
    record Turn(double priority, double factor, double share, double limit, double usage) {}

    /**
     * A cycle.
     *
     * @param counted when use and priorities were counted anew, after the ads had been fetched
     * @param weight of all slots, those of machines that want other jobs among them
     * @param matches of each submitter that had a turn
     */
    record Cycle(Instant counted, double weight, Map<String, Turn> turns, Map<String, Integer> matches) {}

    private final Path file;
    private final long from;

    /** From now on. */
    NegotiatorLog(Path file) throws IOException {
        this.file = file;
        this.from = Files.size(file);
    }

    /** The cycles that have ended. */
    List<Cycle> cycles() throws IOException {
        byte[] all = Files.readAllBytes(file);
        var text = new String(all, (int) from, all.length - (int) from, StandardCharsets.ISO_8859_1);
        var cycles = new ArrayList<Cycle>();
        var reader = new CycleReader();
        text.lines().forEach(line -> {
            if (reader.endsWith(line)) {
                cycles.add(reader.cycle());
            }
        });
        return cycles;
    }

    private static final class CycleReader {
        private Instant counted = Instant.EPOCH;
        private double weight;
        private String submitter = "";
        private Map<String, Map<String, Double>> figures = new LinkedHashMap<>();
        private Map<String, Integer> matches = new LinkedHashMap<>();

        /** Whether the line is the last of a cycle whose accounting this log tells. */
        private boolean endsWith(String line) {
            Matcher dated = LINE.matcher(line);
            if (!dated.matches()) {
                return false;
            }
            String said = dated.group(2);
            if (said.contains("Started Negotiation Cycle")) {
                counted = Instant.EPOCH;
                weight = 0;
                figures = new LinkedHashMap<>();
                matches = new LinkedHashMap<>();
            } else if (said.contains("Performing accounting")) {
                counted = LocalDateTime.parse(dated.group(1), TIME).toInstant(ZoneOffset.UTC);
            }
            read(said);
            return said.contains("Finished Negotiation Cycle") && counted.isAfter(Instant.EPOCH);
        }

        private void read(String said) {
            Matcher turn = TURN.matcher(said);
            Matcher figure = FIGURE.matcher(said);
            Matcher all = WEIGHT.matcher(said);
            if (all.find()) {
                weight = Math.max(weight, Double.parseDouble(all.group(1)));
            } else if (turn.find()) {
                submitter = turn.group(1);
                matches.putIfAbsent(submitter, 0);
            } else if (figure.find()) {
                figures.computeIfAbsent(submitter, name -> new LinkedHashMap<>())
                        .putIfAbsent(figure.group(1), Double.valueOf(figure.group(2)));
            } else if (said.contains("Successfully matched with")) {
                matches.merge(submitter, 1, Integer::sum);
            }
        }

        private Cycle cycle() {
            var turns = new LinkedHashMap<String, Turn>();
            figures.forEach((name, all) -> turns.put(
                    name,
                    new Turn(
                            all.get("SubmitterPrio"),
                            all.get("SubmitterPrioFactor"),
                            all.get("submitterShare"),
                            all.get("submitterLimit"),
                            all.get("submitterUsage"))));
            return new Cycle(counted, weight, turns, matches);
        }
    }
}
