package org.metasched.cli.server;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import org.metasched.cli.output.ErrorMessages;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementFaultException;
import org.metasched.client.Credentials;
import org.metasched.trust.ClientCredentials;

/** Calls of the WS-Agreement services, whose failures become exit codes. */
public final class AgreementCalls {

    /** Enough for a negotiation over slow sites. */
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    /** The fault codes that end a command with exit code 1. */
    private static final Set<String> NO =
            Set.of(("NO_COMMON_SLOT PREVIEW_WINDOW_EXCEEDED RESOURCE_LOST_RACE NO_MATCHING_SITE SITE_REFUSES"
                            + " AGREEMENT_UNKNOWN AGREEMENT_FINAL WITHDRAWN")
                    .split(" "));
    /** The fault codes that end a command with exit code 2. */
    private static final Set<String> BAD_INPUT =
            Set.of("OFFER_INVALID TEMPLATE_UNKNOWN SITE_UNKNOWN TOO_LATE AGREEMENT_ID_TAKEN EXTENSION_NOT_UNDERSTOOD"
                    .split(" "));

    private AgreementCalls() {}

    /** One call of a client. */
    public interface Call<T> {
        T make(AgreementClient client) throws AgreementFaultException, IOException;
    }

    public static <T> T on(ServerOption server, Call<T> call) {
        return on(server.ready(), server.caller(), call);
    }

    /**
     * Makes a call.
     *
     * @param caller credentials of the user at the server
     * @throws ExitCodeException if it fails
     */
    public static <T> T on(URI server, ClientCredentials caller, Call<T> call) {
        try {
            return call.make(
                    new AgreementClient(server, TIMEOUT, new Credentials(caller.tls(), caller::authorization)));
        } catch (AgreementFaultException e) {
            throw failure(e);
        } catch (IOException e) {
            throw ExitCodeException.outside(ErrorMessages.of(e));
        }
    }

    private static ExitCodeException failure(AgreementFaultException fault) {
        String text =
                (fault.code().isEmpty() ? "" : fault.code() + ": ") + withoutPaths(String.valueOf(fault.getMessage()));
        ExitCodeException failure = NO.contains(fault.code())
                ? ExitCodeException.no(text)
                : BAD_INPUT.contains(fault.code()) ? ExitCodeException.badInput(text) : ExitCodeException.outside(text);
        return failure.coded(fault.code());
    }

    /** A reason of the template without the place in a document that the user did not write. */
    private static String withoutPaths(String reason) {
        return reason.replaceAll("(?m)^item ([^/\n]+): /AgreementOffer/\\S+: ", "$1: ");
    }
}
