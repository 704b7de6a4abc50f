package org.metasched.adapter.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.Need;
import org.metasched.adapter.command.NamedFields;
import org.metasched.adapter.command.OutputFormatException;
import org.metasched.adapter.command.OutputTable;
import org.metasched.adapter.command.SiteClock;
import org.metasched.adapter.queue.ListedRequest.Stage;

/** Reads the listings of a configured scheduler. Thread-safe. */
record QueueOutput(QueueDialect dialect, SiteClock times) {

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,252}");
    /** Configured patterns are matched against no text longer than this, so that none runs forever. */
    static final int LONGEST_VALUE = 500;

    /** The unit of each group in the pattern of a length. */
    private static final Map<String, Duration> UNITS = Map.of(
            "d", Duration.ofDays(1), "h", Duration.ofHours(1), "m", Duration.ofMinutes(1), "s", Duration.ofSeconds(1));

    /** The id in the answer to a submission, if there is exactly one. Lines that are too long for the pattern are skipped. */
    Optional<String> submitted(String out) {
        var ids = new HashSet<String>();
        for (String line : OutputTable.lines(out)) {
            Matcher match = dialect.answers().submitted().matcher(line);
            if (line.length() <= LONGEST_VALUE && match.find()) {
                ids.add(match.group("id"));
            }
        }
        return ids.size() == 1 && ids.stream().allMatch(ID.asMatchPredicate())
                ? Optional.of(ids.iterator().next())
                : Optional.empty();
    }

    List<ListedRequest> requests(String out) {
        var requests = new ArrayList<ListedRequest>();
        var ids = new HashSet<String>();
        for (NamedFields row : rows(out, dialect.requests())) {
            ListedRequest request = request(row);
            row.refuseIf(!ids.add(request.id()), "id", "unique in the listing");
            requests.add(request);
        }
        return requests;
    }

    private ListedRequest request(NamedFields row) {
        String word = row.text("state");
        Stage stage = dialect.states().get(word);
        if (stage == null) {
            throw row.refusal("state", "one of " + dialect.states().keySet());
        }
        Optional<Instant> start = start(row);
        boolean needsStart = stage == Stage.PLANNED || stage == Stage.RUNNING;
        row.refuseIf(needsStart && start.isEmpty(), "start", "a time, as the state is " + word);
        return new ListedRequest(
                row.text("id", ID),
                row.text("name"),
                stage,
                word,
                start,
                isAbsent(row.text("length")) ? Optional.empty() : Optional.of(length(row)),
                nodes(row),
                hosts(row));
    }

    /** The columns with different names, since {@code -} (ignored) and {@code start+} (continues {@code start}) may come more than once. */
    private static List<String> distinct(List<String> columns) {
        var names = new ArrayList<String>();
        for (String column : columns) {
            names.add(column.equals("-") || column.equals("start+") ? column + names.size() : column);
        }
        return names;
    }

    private Optional<Instant> start(NamedFields row) {
        if (isAbsent(row.text("start"))) {
            return Optional.empty();
        }
        String text = row.names().stream()
                .filter(name -> name.equals("start") || name.startsWith("start+"))
                .map(row::text)
                .collect(Collectors.joining(" "));
        try {
            return Optional.of(times.start(text, dialect.times().listed()));
        } catch (OutputFormatException e) {
            throw new OutputFormatException("line " + row.line() + ": start: " + e.getMessage(), e);
        }
    }

    private Duration length(NamedFields row) {
        Matcher length = dialect.times().length().matcher(bounded(row.text("length")));
        row.refuseIf(!length.matches(), "length", "a duration of the form " + length.pattern());
        Duration sum = Duration.ZERO;
        for (Map.Entry<String, Duration> unit : UNITS.entrySet()) {
            if (dialect.times().length().pattern().contains("(?<" + unit.getKey() + ">")) {
                String amount = length.group(unit.getKey());
                sum = amount == null ? sum : sum.plus(unit.getValue().multipliedBy(number(row, "length", amount)));
            }
        }
        row.refuseIf(sum.isZero(), "length", "longer than nothing");
        return sum;
    }

    private int nodes(NamedFields row) {
        // Without a column of nodes, the pattern searches the column *, the rest of the line.
        String column = row.has("nodes") ? "nodes" : "*";
        Matcher match = dialect.nodeCount().matcher(bounded(row.text(column)));
        row.refuseIf(!match.find(), column, "a number of nodes of the form " + match.pattern());
        int count = match.group("n") == null ? 1 : number(row, column, match.group("n"));
        row.refuseIf(count < 1 || count > Need.MOST, column, "from 1 to " + Need.MOST);
        return count;
    }

    private static int number(NamedFields row, String name, String text) {
        row.refuseIf(!text.matches("\\d{1,9}"), name, "made of whole numbers");
        return Integer.parseInt(text);
    }

    private static List<String> hosts(NamedFields row) {
        String text = row.find("hosts").orElse("-");
        if (isAbsent(text)) {
            return List.of();
        }
        List<String> hosts = List.of(text.split(",", -1));
        boolean named = hosts.stream().allMatch(host -> HOST.matcher(host).matches());
        row.refuseIf(!named, "hosts", "names with commas between them");
        return hosts;
    }

    /** Every node and whether it works. */
    Map<String, Boolean> nodeStates(String out) {
        var states = new LinkedHashMap<String, Boolean>();
        for (NamedFields row : rows(out, dialect.nodes())) {
            var before = states.put(row.text("name", HOST), dialect.nodesUp().contains(row.text("state")));
            row.refuseIf(before != null, "name", "unique in the listing");
        }
        return states;
    }

    private static List<NamedFields> rows(String out, QueueDialect.Listing listing) {
        OutputFormatException.throwIf(!out.isEmpty() && !out.endsWith("\n"), "the output is cut short");
        return OutputTable.blankSeparated(out, listing.skipLines(), distinct(listing.columns()));
    }

    private static boolean isAbsent(String text) {
        return text.isEmpty() || text.matches("-+|N/A|unlimited");
    }

    private static String bounded(String text) {
        OutputFormatException.throwIf(
                text.length() > LONGEST_VALUE,
                "a value is too long, %s characters: (%s)",
                text.length(),
                DisplayText.of(text));
        return text;
    }
}
