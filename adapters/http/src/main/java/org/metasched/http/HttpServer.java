package org.metasched.http;

import jakarta.servlet.http.HttpServlet;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.metasched.trust.Authentication;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP server over servlets. Refuses bodies above a limit before it reads them, reads a body before it gives it a thread, bounds the
 * requests in work, answers errors in one line of plain text, and lets requests under way finish when it stops. Listens on the loopback
 * address by default. Thread-safe once started.
 */
public final class HttpServer implements AutoCloseable {

    /** Name of the cookie with the token or the session of the person who signed in; it counts for pages under {@code /console} only. */
    public static final String SESSION = "metasched-session";

    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);

    private final Server jetty;
    private final URI base;

    HttpServer(Server jetty, ServerConnector connector, boolean tls) {
        this.jetty = jetty;
        String host = connector.getHost() == null ? "localhost" : connector.getHost();
        String shown = host.contains(":") ? "[" + host.replaceFirst("^(0:){7}1$", "::1") + "]" : host;
        this.base = URI.create((tls ? "https://" : "http://") + shown + ":" + connector.getLocalPort());
    }

    /**
     * A builder for a server on the loopback address.
     *
     * @param port TCP port, 0 for any free one
     */
    public static Builder onPort(int port) {
        return at(new InetSocketAddress(LoopbackAddress.get(), port));
    }

    /**
     * A builder for a server on any address of this machine.
     *
     * @param address address to listen at, with port 0 for any free port
     */
    public static Builder at(InetSocketAddress address) {
        return new Builder(address);
    }

    /** The name of a request for a page in policies, such as {@code GET /health}. */
    public static String operation(String method, String pathSpec) {
        return (method.equals("HEAD") ? "GET" : method) + " " + (pathSpec.isEmpty() ? "/" : pathSpec);
    }

    /** Builds a server. Not thread-safe; used once. */
    public static final class Builder {

        record Mounted(HttpServlet servlet, Map<String, String> parameters, boolean eager) {}

        final InetSocketAddress address;
        final Map<String, Mounted> servlets = new LinkedHashMap<>();
        final List<Runnable> beforeListening = new ArrayList<>();
        HttpLimits limits = HttpLimits.DEFAULT;
        PublicAddress names = PublicAddress.NONE;
        Optional<InetSocketAddress> operators = Optional.empty();
        Set<String> origins = Set.of();
        Authentication authentication = Authentication.NONE;

        private Builder(InetSocketAddress address) {
            this.address = address;
        }

        /**
         * Adds a servlet, which is initialised by its first request.
         *
         * @param pathSpec path pattern of a servlet mapping: {@code /health}, {@code /console/*}
         */
        public Builder servlet(String pathSpec, HttpServlet servlet) {
            servlets.put(pathSpec, new Mounted(servlet, Map.of(), false));
            return this;
        }

        /**
         * Adds a servlet that is initialised before the server listens, and before the tasks of {@link #beforeListening}.
         *
         * @param pathSpec path pattern of a servlet mapping
         * @param parameters the servlet's initialisation parameters
         */
        public Builder eagerServlet(String pathSpec, HttpServlet servlet, Map<String, String> parameters) {
            servlets.put(pathSpec, new Mounted(servlet, Map.copyOf(parameters), true));
            return this;
        }

        /** Adds a task that runs when the servlets are there and before the address is bound. Tasks run in order. */
        public Builder beforeListening(Runnable task) {
            beforeListening.add(task);
            return this;
        }

        /** Sets the limits; {@link HttpLimits#DEFAULT} by default. */
        public Builder limits(HttpLimits value) {
            limits = value;
            return this;
        }

        /** Sets the names of the server; by default the address it listens at. */
        public Builder knownAs(PublicAddress value) {
            names = value;
            return this;
        }

        /** Sets the origins whose pages may call paths below {@code /api/}, with tokens and without cookies; none by default. */
        public Builder origins(Set<String> value) {
            origins = Set.copyOf(value);
            return this;
        }

        /** Sets the authentication of callers; without it there is none. */
        public Builder authentication(Authentication value) {
            authentication = value;
            return this;
        }

        /**
         * Serves the same pages at a second address, whose connections and threads other callers cannot use up.
         *
         * @param address address that only operators can reach
         */
        public Builder operators(InetSocketAddress address) {
            operators = Optional.of(address);
            return this;
        }

        /**
         * Binds the address and serves.
         *
         * @throws IllegalStateException when the address is taken, or a task of {@link #beforeListening} fails
         */
        public HttpServer start() {
            return new JettyAssembly(this).start();
        }
    }

    /** The base URL, without a slash at its end. */
    public URI base() {
        return base;
    }

    /** Lets requests under way finish, for at most 10 seconds, then stops. Repeating it does nothing. */
    @Override
    public void close() {
        try {
            jetty.stop();
        } catch (Exception e) {
            LOG.warn("The server at {} did not stop in order: {}", base(), e.toString());
        }
    }
}
