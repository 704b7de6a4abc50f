package org.metasched.trust;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.trust.Subject.Action;

/**
 * An operation that a caller may request: {@code Service/Operation} of a SOAP service, {@code GET /path} of a page. An operation that is
 * missing in this table is refused to all callers, and the matrix test names it.
 *
 * @param action action that a token's capabilities, and a limited proxy, must allow
 * @param hasObject whether the decision depends on an object; it is then made twice: before the object is looked up, and for the object
 */
public record Operation(String id, Action action, boolean hasObject) {

    private static final Map<String, Operation> ALL = table();

    public static List<Operation> all() {
        return List.copyOf(ALL.values());
    }

    static Optional<Operation> find(String id) {
        return Optional.ofNullable(ALL.get(id));
    }

    /** Whether an operation is the page where a person logs in: its outcome is known after the credential was tried. */
    static boolean isLogIn(String id) {
        return id.endsWith(" /console/login");
    }

    private static Map<String, Operation> table() {
        var table = new LinkedHashMap<String, Operation>();
        put(table, Action.CREATE, true, "AgreementFactory", "CreateAgreement", "CreatePendingAgreement");
        String[] properties =
                ("GetResourceProperty GetMultipleResourceProperties GetResourcePropertyDocument QueryResourceProperties")
                        .split(" ");
        put(table, Action.READ, false, "AgreementFactory", properties);
        put(table, Action.READ, true, "Agreement", properties);
        put(table, Action.CANCEL, true, "Agreement", "Terminate", "Destroy", "SetTerminationTime");
        put(table, Action.CREATE, false, "NegotiationFactory", "InitiateNegotiation");
        put(table, Action.CREATE, true, "Negotiation", "Negotiate", "Advertise");
        put(table, Action.CANCEL, true, "Negotiation", "Terminate");
        put(table, Action.READ, true, "Negotiation", properties);
        put(table, Action.MODIFY, true, "Collector", "Advertise", "Invalidate");
        put(table, Action.READ, false, "Collector", "Query");
        put(table, Action.CREATE, false, "Collector", "TakeMatch");
        put(table, Action.MODIFY, true, "Collector", "RenewMatch", "SettleMatch");
        put(table, Action.CREATE, true, "Claiming", "Request");
        put(table, Action.MODIFY, true, "Claiming", "Activate", "Renew");
        put(table, Action.CANCEL, true, "Claiming", "Release", "Preempt");
        put(table, Action.READ, true, "Claiming", "GetClaims");
        put(table, Action.READ, false, "Site", "ResourceAvailableAt", "State");
        put(table, Action.CREATE, true, "Site", "Submit");
        put(table, Action.CANCEL, false, "Site", "Cancel");
        put(table, Action.MODIFY, false, "Site", "Bind", "Publish");
        put(table, Action.MODIFY, false, "Introductions", "Introduce");
        for (String page : List.of(("/health /health/live ?wsdl / /sites /api/v1/* /calendars/* /metrics /console/login"
                        + " /console/* /reservations /api")
                .split(" "))) {
            table.put("GET " + page, new Operation("GET " + page, Action.READ, false));
        }
        for (String form : List.of("/console/login", "/console/*")) {
            table.put("POST " + form, new Operation("POST " + form, Action.READ, false));
        }
        table.put("POST /services/Plans", new Operation("POST /services/Plans", Action.CREATE, false));
        table.put("GET /services/Priorities", new Operation("GET /services/Priorities", Action.READ, false));
        table.put("POST /services/Priorities", new Operation("POST /services/Priorities", Action.MODIFY, false));
        return table;
    }

    private static void put(
            Map<String, Operation> table, Action action, boolean hasObject, String service, String... names) {
        for (String name : names) {
            table.put(service + "/" + name, new Operation(service + "/" + name, action, hasObject));
        }
    }
}
