package org.metasched.cli.server;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code metasched priority}: fair share, in the manner of condor_userprio. */
@Command(
        name = "priority",
        description = {
            "Shows how submitters stand in fair share, the next to be served first, and changes one.",
            "The effective priority is the decayed usage times the factor; the smaller, the better."
        })
public final class PriorityCommand extends AskingCommand implements Callable<Integer> {

    private static final String PATH = "/services/Priorities";

    @Parameters(paramLabel = "SUBMITTER", arity = "0..1", description = "Only this one; the one to be changed.")
    private @Nullable String submitter;

    @Option(names = "--factor", paramLabel = "N", description = "Multiplies the usage; at least 1.")
    private @Nullable Double factor;

    @Option(names = "--usage", paramLabel = "N", description = "What counts as used up to now; at least 0.5.")
    private @Nullable Double usage;

    @Option(names = "--ceiling", paramLabel = "N", description = "The most weight at once; -1: any.")
    private @Nullable Long ceiling;

    @Option(names = "--floor", paramLabel = "N", description = "Weight below which it is served first; 0: none.")
    private @Nullable Long floor;

    @Option(names = "--delete", description = "Forget what is known of the submitter.")
    private boolean delete;

    /** The requested change; what is null stays. */
    @JsonInclude(Include.NON_NULL)
    private record Change(
            @Nullable String submitter,
            @Nullable Double factor,
            @Nullable Double usage,
            @Nullable Long ceiling,
            @Nullable Long floor,
            boolean delete) {

        @JsonIgnore
        boolean isEmpty() {
            return factor == null && usage == null && ceiling == null && floor == null && !delete;
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        var change = new Change(submitter, factor, usage, ceiling, floor, delete);
        if (!change.isEmpty() && submitter == null) {
            throw ExitCodeException.badInput("A change needs the SUBMITTER whose priority it changes.");
        }
        return print((change.isEmpty() ? server.get(PATH) : server.postJson(PATH, change)).path("submitters"));
    }

    /** Prints the submitters that are asked for; returns the exit code. */
    private int print(JsonNode all) {
        var table = new TextTable("SUBMITTER", "EFFECTIVE", "REAL", "FACTOR", "IN-USE", "HOURS", "CEILING", "FLOOR");
        var rows = new ArrayList<JsonNode>();
        for (JsonNode row : all) {
            if (submitter != null
                    && !submitter.equalsIgnoreCase(row.path("submitter").asText())) {
                continue;
            }
            rows.add(row);
            table.row(
                    row.path("submitter").asText(),
                    number(row, "effectivePriority"),
                    number(row, "realPriority"),
                    number(row, "factor"),
                    number(row, "inUse"),
                    number(row, "usedHours"),
                    row.path("ceiling").asLong() < 0 ? "-" : row.path("ceiling").asText(),
                    row.path("floor").asText());
        }
        output.print(rows, table::print);
        return submitter != null && rows.isEmpty() && !delete ? ExitCodeException.NO : 0;
    }

    private static String number(JsonNode row, String name) {
        return String.format(Locale.ROOT, "%.2f", row.path(name).asDouble());
    }
}
