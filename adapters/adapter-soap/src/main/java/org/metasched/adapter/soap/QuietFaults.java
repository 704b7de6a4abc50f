package org.metasched.adapter.soap;

import java.util.stream.Stream;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.logging.FaultListener;
import org.apache.cxf.message.Message;
import org.metasched.adapter.TemporaryFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs a fault as one line: a mistake of this program as an error, a passing failure of its database or of a site as a warning, and what
 * the sender caused at debug level.
 */
final class QuietFaults implements FaultListener {

    private static final Logger LOG = LoggerFactory.getLogger(QuietFaults.class);

    @Override
    public boolean faultOccurred(Exception problem, String description, Message message) {
        Throwable cause = problem instanceof Fault && problem.getCause() != null ? problem.getCause() : problem;
        if (cause instanceof TemporaryFailure) {
            LOG.warn("A request failed: {}", cause.getMessage());
        } else if (ClearFaults.isInternalError(cause, message)) {
            LOG.error("A request failed with an internal error: {}: {}{}", description, cause, placeOf(cause));
            LOG.debug("The stack trace of the internal error", cause);
        } else {
            LOG.debug("A request was answered with a fault: {}", cause.toString());
        }
        // CXF does not log it again.
        return false;
    }

    /** The place in our code from which the problem came, for the same line. */
    private static String placeOf(Throwable problem) {
        return Stream.of(problem.getStackTrace())
                .filter(frame -> frame.getClassName().startsWith("org.metasched."))
                .findFirst()
                .map(frame -> " at " + frame)
                .orElse("");
    }
}
