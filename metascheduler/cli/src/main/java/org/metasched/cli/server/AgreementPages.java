package org.metasched.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.metasched.cli.output.ExitCodeException;

/** The agreements of a server as its read API lists them, the newest first. */
public final class AgreementPages {

    private static final int PAGE = 500;
    /** The form of an id that a server makes. */
    private static final String MADE_ID = "ag-[a-z0-9]{20}";

    private AgreementPages() {}

    /**
     * The agreements that the user may see, the newest first.
     *
     * @param filter further query parameters, such as {@code &state=Observed}; may be empty
     * @param most greatest number of agreements, at least 1
     */
    public static List<JsonNode> read(ServerOption server, String filter, int most) throws InterruptedException {
        return server.list("/api/v1/agreements?limit=" + PAGE + filter, "agreements", most);
    }

    /**
     * The id of an agreement from its id, or from the name or label of its offer ({@code reserve --id --label}).
     *
     * @return the id; the given text if no offer has that name
     * @throws ExitCodeException if several offers have the name
     */
    public static String idOf(ServerOption server, String given) throws InterruptedException {
        if (given.matches(MADE_ID)) {
            return given;
        }
        var named = read(server, "", Integer.MAX_VALUE).stream()
                .filter(agreement -> agreement.path("offerId").asText().equals(given)
                        || agreement.path("label").asText().equals(given))
                .toList();
        if (named.size() > 1) {
            throw ExitCodeException.badInput("The name (" + given + ") is that of several agreements:"
                    + String.join("", named.stream().map(AgreementPages::line).toList()));
        }
        return named.isEmpty() ? given : named.get(0).path("agreementId").asText();
    }

    private static String line(JsonNode agreement) {
        return "\n  " + agreement.path("agreementId").asText() + " of "
                + agreement.path("initiator").asText("no initiator") + ", "
                + agreement.path("state").asText();
    }
}
