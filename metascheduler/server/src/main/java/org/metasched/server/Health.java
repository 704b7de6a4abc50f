package org.metasched.server;

import jakarta.servlet.http.HttpServletResponse;
import java.util.function.BooleanSupplier;
import org.metasched.agreement.AgreementService;
import org.metasched.store.Database;

/**
 * Whether the server can do its work: 200 while it can, 503 while the database does not answer or the server drains. Asks no
 * site, so that it may be asked often.
 */
final class Health extends JsonServlet {

    private static final long serialVersionUID = 1L;

    private final transient Database database;
    private final transient AgreementService service;
    private final transient Chores chores;
    private final transient BooleanSupplier draining;

    Health(Database database, AgreementService service, Chores chores, BooleanSupplier draining) {
        this.database = database;
        this.service = service;
        this.chores = chores;
        this.draining = draining;
    }

    @Override
    Answer answer() {
        boolean stored = database.answers();
        boolean drains = draining.getAsBoolean();
        var body = MAPPER.createObjectNode();
        body.put("status", drains ? "draining" : stored ? "up" : "down");
        body.put("database", stored ? "up" : "down");
        body.put("offersUnderWay", service.underWay());
        var done = body.putObject("lastDone");
        chores.lastDone().forEach((name, when) -> done.put(name, when.toString()));
        return new Answer(
                stored && !drains ? HttpServletResponse.SC_OK : HttpServletResponse.SC_SERVICE_UNAVAILABLE, body);
    }
}
