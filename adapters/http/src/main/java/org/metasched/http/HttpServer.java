package org.metasched.http;

import jakarta.servlet.http.HttpServlet;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP server over servlets. Refuses bodies above a limit before it reads them, bounds the requests in work, answers
 * errors in one line of plain text, and lets requests under way finish when it stops. Listens on the loopback address
 * unless told otherwise. Thread-safe once started.
 */
public final class HttpServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final Server jetty;
    private final URI base;

    private HttpServer(Server jetty, ServerConnector connector) {
        this.jetty = jetty;
        String host = connector.getHost() == null ? "localhost" : connector.getHost();
        String shown = host.contains(":") ? "[" + host + "]" : host;
        this.base = URI.create("http://" + shown + ":" + connector.getLocalPort());
    }

    /**
     * On the loopback address.
     *
     * @param port TCP port, 0 for any free one
     */
    public static Builder onPort(int port) {
        return at(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /**
     * On any address of this machine.
     *
     * @param address with port 0 for any free port
     */
    public static Builder at(InetSocketAddress address) {
        return new Builder(address);
    }

    /** What a server is made of. Not thread-safe; used once. */
    public static final class Builder {

        private record Mounted(HttpServlet servlet, Map<String, String> parameters, boolean eager) {}

        private final InetSocketAddress address;
        private final Map<String, Mounted> servlets = new LinkedHashMap<>();
        private final List<Runnable> beforeListening = new ArrayList<>();
        private long mostBytes = 4L << 20;
        private int threads = 200;

        private Builder(InetSocketAddress address) {
            this.address = address;
        }

        /**
         * Adds a servlet, which is initialised by its first request.
         *
         * @param pathSpec as in a servlet mapping: {@code /health}, {@code /console/*}
         */
        public Builder servlet(String pathSpec, HttpServlet servlet) {
            servlets.put(pathSpec, new Mounted(servlet, Map.of(), false));
            return this;
        }

        /**
         * Adds a servlet that is initialised before the server listens, and before the tasks of {@link #beforeListening}.
         *
         * @param pathSpec as in a servlet mapping
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

        /**
         * Bounds the body of a request; 4 MiB unless told.
         *
         * @param bytes a longer body is answered with status 413
         */
        public Builder mostBytes(long bytes) {
            mostBytes = bytes;
            return this;
        }

        /**
         * Bounds the work; 200 unless told.
         *
         * @param most requests that are worked on at the same time, at least 8
         */
        public Builder threads(int most) {
            threads = Math.max(8, most);
            return this;
        }

        /**
         * Binds the address and serves.
         *
         * @throws IllegalStateException when the address is taken, or a task of {@link #beforeListening} fails
         */
        public HttpServer start() {
            return new Assembly(this).start();
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

    /**
     * Whether a servlet's failure means that the body of its request was above the limit: a sender that does not declare the
     * length is found out while the body is read.
     */
    public static boolean isBodyTooLarge(Throwable problem) {
        for (Throwable t = problem; t != null; t = t.getCause()) {
            if (t instanceof HttpException refused && refused.getCode() == HttpStatus.PAYLOAD_TOO_LARGE_413) {
                return true;
            }
        }
        return false;
    }

    /** Puts Jetty and the servlets together. */
    private static final class Assembly {

        private final Builder parts;
        private final Server jetty;
        private final ServerConnector connector;

        Assembly(Builder parts) {
            this.parts = parts;
            var pool = new QueuedThreadPool(parts.threads, 4);
            pool.setName("http");
            pool.setDaemon(true);
            jetty = new Server(pool);
            connector = new ServerConnector(jetty, 1, 1, new HttpConnectionFactory(http()));
            connector.setHost(parts.address.getAddress().getHostAddress());
            connector.setPort(parts.address.getPort());
            connector.setReuseAddress(true);
        }

        private static HttpConfiguration http() {
            var http = new HttpConfiguration();
            http.setSendServerVersion(false);
            http.setRequestHeaderSize(16 * 1024);
            return http;
        }

        HttpServer start() {
            var limited = new SizeLimitHandler(parts.mostBytes, -1);
            limited.setHandler(context());
            jetty.setHandler(new GracefulHandler(limited));
            jetty.setErrorHandler(new PlainErrors());
            jetty.setStopTimeout(GRACE.toMillis());
            try {
                jetty.start();
                parts.beforeListening.forEach(Runnable::run);
                jetty.addConnector(connector);
                jetty.manage(connector);
                connector.start();
            } catch (Exception e) {
                stopQuietly();
                throw new IllegalStateException(
                        "The server cannot listen at " + parts.address + ": " + e.getMessage()
                                + "\nMaybe another program has the port.",
                        e);
            }
            return new HttpServer(jetty, connector);
        }

        private ServletContextHandler context() {
            var context = new ServletContextHandler("/");
            parts.servlets.forEach((path, mounted) -> {
                var holder = new ServletHolder(mounted.servlet());
                mounted.parameters().forEach(holder::setInitParameter);
                if (mounted.eager()) {
                    holder.setInitOrder(1);
                }
                context.addServlet(holder, path);
            });
            return context;
        }

        private void stopQuietly() {
            try {
                jetty.stop();
            } catch (Exception e) {
                LOG.debug("A server that did not start did not stop either", e);
            }
        }
    }
}
