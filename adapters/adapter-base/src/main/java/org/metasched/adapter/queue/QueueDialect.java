package org.metasched.adapter.queue;

import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.metasched.adapter.Settings;
import org.metasched.adapter.queue.ListedRequest.Stage;

/**
 * The mapping under {@code dialect:}, over the defaults of its adapter: commands and words of one site's scheduler.
 *
 * @param submit command that makes a reservation
 * @param submitForUser words appended to {@code submit} when the requester is mapped to a local user
 * @param remove command that cancels a request
 * @param run command that submits a job into a reservation, to which the job's own words are appended; empty if the site runs no programs
 * @param answers patterns of the output of these commands
 * @param requests command that lists all requests, jobs among them; of its columns {@code start+} continues {@code start} after a blank,
 *     {@code *} is the rest
 * @param states stage by state word
 * @param times formats of times
 * @param nodeCount pattern whose group {@code n} is the number of nodes in the column {@code nodes}, or in {@code *}; one node without the
 *     group
 * @param nodes command that lists nodes, in the columns {@code name}, {@code state} and any others; empty if only the number of nodes is
 *     set
 * @param nodesUp state words of nodes that work
 * @param queueHead whether the first waiting request has its earliest start guaranteed, as with EASY backfilling
 */
record QueueDialect(
        CommandTemplate submit,
        CommandTemplate submitForUser,
        CommandTemplate remove,
        CommandTemplate run,
        Answers answers,
        Listing requests,
        Map<String, Stage> states,
        Times times,
        Pattern nodeCount,
        Listing nodes,
        Set<String> nodesUp,
        boolean queueHead) {

    /**
     * Patterns of the commands' output.
     *
     * @param submitted pattern whose group {@code id} is the id in the output of {@code submit}
     * @param refused pattern of the output of {@code submit} or {@code remove} if the scheduler refuses
     * @param noRight pattern of the output of any command that the account may not use
     * @param unknown pattern of the output of {@code remove} for an unknown id
     */
    record Answers(Pattern submitted, Pattern refused, Pattern noRight, Pattern unknown) {}

    /**
     * A command that prints a table.
     *
     * @param skipLines number of lines before the first row
     */
    record Listing(CommandTemplate command, int skipLines, List<String> columns) {}

    /**
     * Formats of times.
     *
     * @param written format of times in {@code submit}
     * @param listed format of a start in the listing
     * @param length pattern of a duration in the listing, with groups {@code d h m s}
     */
    record Times(DateTimeFormatter written, DateTimeFormatter listed, Pattern length) {}

    private static final Set<String> KEYS =
            Set.of(("submit submit-for-user submitted refused no-right unknown remove run list skip-lines"
                            + " columns states time-written time-listed length nodes node-list node-skip-lines"
                            + " node-columns nodes-up queue-head")
                    .split(" "));
    private static final Set<String> KNOWN_COLUMNS = new TreeSet<>(
            Set.of("id", "name", "user", "state", "start", "start+", "length", "nodes", "hosts", "-", "*"));
    private static final Set<String> REQUEST =
            new TreeSet<>(Set.of("name", "nodes", "cores", "start", "end", "minutes", "seconds"));
    private static final Set<String> JOB = new TreeSet<>(Set.of("name", "reservation", "nodes", "folder"));

    /** Lines of a heading; more are a mistake. */
    private static final int MOST_SKIPPED = 1000;

    static QueueDialect from(Settings settings) {
        settings.allowOnly(KEYS);
        return new QueueDialect(
                required(settings, "submit", REQUEST),
                CommandTemplate.from(settings, "submit-for-user", Set.of("user")),
                required(settings, "remove", Set.of("id")),
                CommandTemplate.from(settings, "run", JOB),
                new Answers(
                        pattern(settings, "submitted", "(?<id>"),
                        pattern(settings, "refused", ""),
                        pattern(settings, "no-right", ""),
                        pattern(settings, "unknown", "")),
                new Listing(
                        required(settings, "list", Set.of()),
                        settings.number("skip-lines", 0, MOST_SKIPPED).orElse(0),
                        columns(settings)),
                states(settings),
                new Times(
                        time(settings, "time-written"),
                        time(settings, "time-listed"),
                        pattern(settings, "length", "(?<")),
                pattern(settings, "nodes", "(?<n>"),
                new Listing(
                        CommandTemplate.from(settings, "node-list", Set.of()),
                        settings.number("node-skip-lines", 0, MOST_SKIPPED).orElse(0),
                        settings.texts("node-columns")),
                Set.copyOf(settings.texts("nodes-up")),
                settings.flag("queue-head").orElse(false));
    }

    private static CommandTemplate required(Settings settings, String key, Set<String> placeholders) {
        var template = CommandTemplate.from(settings, key, placeholders);
        settings.refuseIf(template.words().isEmpty(), key, "expected a command as a list of words");
        return template;
    }

    private static Pattern pattern(Settings settings, String key, String neededPart) {
        String text = settings.requiredText(key);
        try {
            settings.refuseIf(!text.contains(neededPart), key, "expected a pattern with the group %s…)", neededPart);
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw settings.invalid(key, "this is not a regular expression: " + e.getDescription());
        }
    }

    private static DateTimeFormatter time(Settings settings, String key) {
        try {
            return DateTimeFormatter.ofPattern(settings.requiredText(key), Locale.ENGLISH);
        } catch (IllegalArgumentException e) {
            throw settings.invalid(key, "this is not a date pattern: " + e.getMessage());
        }
    }

    private static List<String> columns(Settings settings) {
        List<String> columns = settings.texts("columns");
        for (String column : columns) {
            boolean isKnown = KNOWN_COLUMNS.contains(column);
            settings.refuseIf(!isKnown, "columns", "there is no column (%s); known are %s", column, KNOWN_COLUMNS);
        }
        for (String needed : List.of("id", "name", "state", "start", "length")) {
            settings.refuseIf(!columns.contains(needed), "columns", "the column (%s) is missing", needed);
        }
        boolean hasNodes = columns.contains("nodes") || columns.contains("*");
        settings.refuseIf(
                !hasNodes, "columns", "the column (nodes) or (*), which tells the number of nodes, is missing");
        return columns;
    }

    private static Map<String, Stage> states(Settings settings) {
        var states = new LinkedHashMap<String, Stage>();
        settings.section("states").ifPresent(section -> {
            for (String word : section.keys()) {
                try {
                    states.put(word, Stage.valueOf(section.requiredText(word).toUpperCase(Locale.ROOT)));
                } catch (IllegalArgumentException e) {
                    throw section.invalid(word, "expected waiting, planned, running, finished or cancelled");
                }
            }
        });
        boolean isComplete = states.values().containsAll(Set.of(Stage.PLANNED, Stage.RUNNING));
        settings.refuseIf(!isComplete, "states", "expected a word for planned and one for running at least");
        return states;
    }
}
