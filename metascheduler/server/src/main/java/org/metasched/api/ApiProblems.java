package org.metasched.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.making.UnusableOfferException;
import org.metasched.negotiation.StoreBusyException;
import org.metasched.negotiation.StoreUnavailableException;
import org.metasched.trust.NotAllowedException;
import org.metasched.trust.Subject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Problems of the REST API, by status and code. */
final class ApiProblems {

    private static final Logger LOG = LoggerFactory.getLogger(ApiProblems.class);
    private static final String RETRY_AFTER = "Retry-After";

    private ApiProblems() {}

    /** Makes an answer. */
    interface Work {
        ApiAnswer answer() throws IOException, InterruptedException;
    }

    /** The answer of the work, or the problem that it met. A wrong argument is a fault of the query in a read, else of the offer. */
    static ApiAnswer guarded(Subject caller, String path, boolean isRead, Work work)
            throws IOException, InterruptedException {
        try {
            return work.answer();
        } catch (ProblemException e) {
            return ApiAnswer.problem(e, path);
        } catch (UnusableOfferException e) {
            int status = e.code().equals("NOT_ALLOWED") ? 403 : 422;
            return ApiAnswer.problem(new ProblemException(status, e.code(), e.reasons(), List.of()), path);
        } catch (IllegalArgumentException e) {
            String code = isRead ? "QUERY_INVALID" : "OFFER_INVALID";
            return ApiAnswer.problem(
                    new ProblemException(isRead ? 400 : 422, code, String.valueOf(e.getMessage())), path);
        } catch (NotAllowedException e) {
            return ApiAnswer.problem(notAllowed(caller, e), path);
        } catch (StoreBusyException e) {
            return ApiAnswer.problem(busy(String.valueOf(e.getMessage())), path);
        } catch (StoreUnavailableException e) {
            LOG.error("A request of the API could not be answered: {}", e.getMessage());
            String why = isRead
                    ? "The database does not answer now. Repeat the request."
                    : "The decision cannot be recorded now. Repeat the request with the same Idempotency-Key.";
            return ApiAnswer.problem(new ProblemException(503, "SERVICE_FAILED", why).with(RETRY_AFTER, "5"), path);
        } catch (RuntimeException e) {
            LOG.error("A request of the API failed with an internal error", e);
            String why = "The service had an internal error, which it has logged.";
            return ApiAnswer.problem(new ProblemException(500, "SERVICE_FAILED", why), path);
        }
    }

    private static ProblemException notAllowed(Subject caller, NotAllowedException e) {
        String why = String.valueOf(e.getMessage());
        if (e.isBusy()) {
            return new ProblemException(e.isUnrecorded() ? 503 : 429, "BUSY", why).with(RETRY_AFTER, "1");
        }
        return caller.isKnown()
                ? new ProblemException(403, "NOT_ALLOWED", why)
                : new ProblemException(401, "NOT_ALLOWED", why).with("WWW-Authenticate", "Bearer");
    }

    static ProblemException busy(String why) {
        return new ProblemException(503, "BUSY", why).with(RETRY_AFTER, "5");
    }

    /** The refusal of a request. */
    static ProblemException refused(RefusalCode code, String reason, List<ObjectNode> suggestions) {
        int status = switch (code) {
            case OFFER_INVALID, AGREEMENT_ID_TAKEN, TEMPLATE_UNKNOWN, SITE_UNKNOWN -> 422;
            case ADAPTER_DOWN, ADAPTER_MISCONFIGURED, SCHEDULER_UNREADABLE, BUSY -> 503;
            default -> 409;
        };
        var problem = new ProblemException(
                status,
                code.name(),
                reason.lines().filter(line -> !line.isBlank()).toList(),
                suggestions);
        return status == 503 ? problem.with(RETRY_AFTER, "5") : problem;
    }
}
