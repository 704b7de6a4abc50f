package org.metasched.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoubleConsumer;
import org.metasched.classad.cycle.Accountant;
import org.metasched.classad.cycle.SubmitterStanding;

/** Servlet of fair share: GET shows the standings of submitters, POST of {@code {"submitter": NAME, "factor": 10}} changes one of them. */
final class PriorityServlet extends JsonServlet {

    private static final int LONGEST_CHANGE_BYTES = 4096;
    /** Every whole number up to this one is exact as a double. */
    private static final double MOST = 1e15;

    private static final Set<String> CHANGES = Set.of("factor", "usage", "ceiling", "floor", "delete");

    private final transient FairShareBooks books;

    PriorityServlet(FairShareBooks books) {
        super(() -> new Answer(HttpServletResponse.SC_OK, json(books.standings())));
        this.books = books;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        write(changed(request), response);
    }

    private Answer changed(HttpServletRequest request) throws IOException {
        try {
            if (!String.valueOf(request.getContentType()).startsWith("application/json")) {
                throw new IllegalArgumentException("A change as application/json is expected.");
            }
            JsonNode change = MAPPER.readTree(request.getInputStream().readNBytes(LONGEST_CHANGE_BYTES));
            return new Answer(HttpServletResponse.SC_OK, json(books.change(accountant -> apply(accountant, change))));
        } catch (JsonProcessingException e) {
            return refused("The change is no JSON of at most " + LONGEST_CHANGE_BYTES + " bytes.");
        } catch (IllegalArgumentException e) {
            return refused(String.valueOf(e.getMessage()));
        }
    }

    private static Answer refused(String reason) {
        return new Answer(
                HttpServletResponse.SC_BAD_REQUEST, MAPPER.createObjectNode().put("reason", reason));
    }

    private static void apply(Accountant accountant, JsonNode change) {
        String submitter = change.path("submitter").asText();
        if (submitter.isBlank() || submitter.length() > 256 || submitter.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("The submitter must be a name of 1 to 256 printable characters.");
        }
        var keys = new TreeSet<String>();
        change.fieldNames().forEachRemaining(keys::add);
        keys.remove("submitter");
        JsonNode delete = change.path("delete");
        if (keys.isEmpty() || !CHANGES.containsAll(keys) || keys.contains("delete") && !delete.isBoolean()) {
            throw new IllegalArgumentException(
                    "Besides the submitter, at least one of factor, usage, ceiling, floor and"
                            + " delete (true or false) is expected, not " + keys + ".");
        }
        setNumber(change, "factor", 1, value -> accountant.setFactor(submitter, value));
        setNumber(change, "usage", Accountant.LEAST_USAGE, value -> accountant.setUsage(submitter, value));
        setNumber(change, "ceiling", -1, value -> accountant.setCeiling(submitter, whole("ceiling", value)));
        setNumber(change, "floor", 0, value -> accountant.setFloor(submitter, whole("floor", value)));
        if (delete.asBoolean()) {
            accountant.delete(submitter);
        }
    }

    private static long whole(String name, double value) {
        if (value != Math.rint(value)) {
            throw new IllegalArgumentException("The " + name + " (" + value + ") must be a whole number.");
        }
        return (long) value;
    }

    private static void setNumber(JsonNode change, String name, double least, DoubleConsumer setter) {
        JsonNode given = change.path(name);
        if (given.isMissingNode() || given.isNull()) {
            return;
        }
        if (!given.isNumber() || !(given.asDouble() >= least) || given.asDouble() > MOST) {
            throw new IllegalArgumentException(
                    "The " + name + " (" + given + ") must be a number from " + least + " to " + MOST + ".");
        }
        setter.accept(given.asDouble());
    }

    private static ObjectNode json(List<SubmitterStanding> standings) {
        ObjectNode json = MAPPER.createObjectNode();
        var list = json.putArray("submitters");
        for (SubmitterStanding standing : standings) {
            list.addObject()
                    .put("submitter", standing.submitter())
                    .put("effectivePriority", standing.priority())
                    .put("realPriority", standing.usage())
                    .put("factor", standing.factor())
                    .put("inUse", standing.inUse())
                    .put("ceiling", standing.ceiling())
                    .put("floor", standing.floor())
                    .put("usedHours", standing.accumulated() / 3600);
        }
        return json;
    }
}
