package org.metasched.adapter.soap;

import jakarta.xml.ws.WebServiceException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.frontend.ClientProxy;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.LocalSchedulerException.Unreadable;
import org.metasched.adapter.SiteId;
import org.metasched.wsag.site.BadRequestFault;
import org.metasched.wsag.site.MisconfiguredFault;
import org.metasched.wsag.site.RefusedFault;
import org.metasched.wsag.site.Site;
import org.metasched.wsag.site.SiteService;
import org.metasched.wsag.site.UnknownReservationFault;
import org.metasched.wsag.site.UnreachableFault;

/**
 * Client of one adapter; the only place where its faults become exceptions. The port is made at the first call, as reading the WSDL takes a
 * while and many sites are configured at once. Thread-safe.
 */
final class SiteConnection {

    private final SiteId site;
    final URI endpoint;
    private final OutgoingCalls calls;
    private final ReentrantLock making = new ReentrantLock();
    private volatile @Nullable Site port;

    SiteConnection(SiteId site, URI endpoint, OutgoingCalls calls) {
        if (!"http".equals(endpoint.getScheme()) && !"https".equals(endpoint.getScheme())) {
            throw new IllegalArgumentException("The adapter's address (" + endpoint + ") of site " + site
                    + " must begin with http:// or https://.");
        }
        this.site = site;
        this.endpoint = endpoint;
        this.calls = calls;
    }

    /** One call with the faults of the site interface. */
    interface Call<T> {
        T on(Site port)
                throws LocalSchedulerException, RefusedFault, UnreachableFault, MisconfiguredFault,
                        UnknownReservationFault, BadRequestFault;
    }

    /**
     * Calls the adapter.
     *
     * @param operation its name in messages
     */
    <T> T call(String operation, Call<T> call) throws LocalSchedulerException {
        try {
            return call.on(port());
        } catch (RefusedFault e) {
            throw AdapterFaults.refused(e);
        } catch (BadRequestFault e) {
            throw new Refused(AdapterFaults.words(e));
        } catch (MisconfiguredFault e) {
            throw new Misconfigured(AdapterFaults.words(e), e);
        } catch (UnknownReservationFault e) {
            throw new UnknownReservation(AdapterFaults.words(e));
        } catch (UnreachableFault e) {
            throw AdapterFaults.unreachable(e);
        } catch (IllegalArgumentException e) {
            throw new Unreadable("Site " + site + " gave an invalid answer to " + operation + ": " + e.getMessage(), e);
        } catch (WebServiceException e) {
            if (NoAnswer.reason(e).startsWith("NOT_ALLOWED: ")) {
                throw new Misconfigured("The adapter of site " + site + " does not let this server do " + operation
                        + ".\nMaybe its serve: security: roles: server: lacks this server's subject.");
            }
            throw noAnswer(operation, e);
        }
    }

    void close() {
        var open = port;
        if (open != null) {
            ClientProxy.getClient(open).destroy();
        }
    }

    /** The failure of a call without an answer. Sets the interrupt flag again if an interrupt ended the call. */
    private Unreachable noAnswer(String operation, WebServiceException problem) {
        for (Throwable t = problem; t != null; t = t.getCause()) {
            if (t instanceof InterruptedException
                    || (t instanceof InterruptedIOException && !(t instanceof SocketTimeoutException))) {
                Thread.currentThread().interrupt();
            }
        }
        String reason = NoAnswer.reason(problem);
        String hint = reason.equals(NoAnswer.NOTHING_THERE)
                ? "Maybe its path is another: 'metasched adapter serve' prints it."
                : "Maybe the adapter is down, or answers later than "
                        + calls.answerWithin().toSeconds() + " s.";
        return new Unreachable(
                "Site " + site + " gave no answer to " + operation + " at " + endpoint + ": " + reason + ".\n" + hint,
                problem);
    }

    private Site port() {
        var open = port;
        if (open != null) {
            return open;
        }
        making.lock();
        try {
            open = port;
            if (open == null) {
                open = calls.configure(newPort(), endpoint);
                ClientProxy.getClient(open).getEndpoint().putAll(MessageLimits.PROPERTIES);
                port = open;
            }
            return open;
        } finally {
            making.unlock();
        }
    }

    /**
     * A port on the process's own bus: a thread that answers a request would otherwise use its server's bus, which ends with the server.
     */
    private static Site newPort() {
        Bus before = BusFactory.getAndSetThreadDefaultBus(BusFactory.getDefaultBus(true));
        try {
            synchronized (Contract.SERVICE) {
                return Contract.SERVICE.getSitePort();
            }
        } finally {
            BusFactory.setThreadDefaultBus(before);
        }
    }

    /** The WSDL, read once for all sites. */
    private static final class Contract {
        static final SiteService SERVICE = new SiteService();

        private Contract() {}
    }
}
