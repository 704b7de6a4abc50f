package org.metasched.server;

import static jakarta.servlet.http.HttpServletResponse.SC_OK;
import static jakarta.servlet.http.HttpServletResponse.SC_SERVICE_UNAVAILABLE;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.metasched.agreement.making.OffersUnderWay;
import org.metasched.store.Database;

/**
 * The health of the server: status 200 while it can do its work, else 503. It cannot while it starts or drains, the database does not answer,
 * the record of decisions cannot be written, or the clock is off. No site is asked, so that the health may be asked for often.
 */
record ServerHealth(
        Database database,
        OffersUnderWay offers,
        ScheduledTasks chores,
        ListenerIdentity identity,
        Supplier<Phase> phase) {

    /** Phase of a server between its start and its end. */
    enum Phase {
        /** The server does not serve everything yet. */
        STARTING,
        UP,
        /** The server takes no new offers. */
        DRAINING
    }

    JsonServlet.Answer answer() {
        boolean isStored = database.node().answers();
        boolean isRecorded = identity.takesLines();
        boolean isAble = isStored && isRecorded && database.node().isOnTime();
        var now = phase.get();
        boolean isUp = now == Phase.UP;
        var body = JsonServlet.MAPPER.createObjectNode();
        body.put("status", isUp && !isAble ? "down" : now.name().toLowerCase(Locale.ROOT));
        body.put("database", isStored ? "up" : "down");
        body.put("audit", isRecorded ? "up" : "down");
        body.put("node", database.node().epoch());
        body.put("offersUnderWay", offers.count());
        body.put("clock", database.node().isOnTime() ? "up" : "off");
        body.put("clockOffsetSeconds", database.node().offset().toMillis() / 1000.0);
        var done = body.putObject("lastDone");
        chores.lastDone().forEach((name, when) -> done.put(name, when.toString()));
        return new JsonServlet.Answer(isAble && isUp ? SC_OK : SC_SERVICE_UNAVAILABLE, body);
    }

    /** The answer as values by their keys; the key of an inner value begins with that of its object. */
    Map<String, String> words() {
        var words = new LinkedHashMap<String, String>();
        answer().body().fields().forEachRemaining(field -> {
            if (field.getValue().isObject()) {
                field.getValue()
                        .fields()
                        .forEachRemaining(inner -> words.put(
                                field.getKey() + ": " + inner.getKey(),
                                inner.getValue().asText()));
            } else {
                words.put(field.getKey(), field.getValue().asText());
            }
        });
        return words;
    }
}
