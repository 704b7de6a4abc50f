package org.metasched.http;

import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.AbstractConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.server.handler.QoSHandler;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Builds Jetty with the servlets, handlers and listeners of one server. */
final class JettyAssembly {

    private static final Logger LOG = LoggerFactory.getLogger(JettyAssembly.class);
    /** Time that requests under way have to finish when the server stops. */
    private static final Duration GRACE = Duration.ofSeconds(10);
    /** Time after which a stopping server closes an idle connection. */
    private static final Duration IDLE_AT_STOP = Duration.ofMillis(100);

    /** Threads for requests without a body, such as health, metrics and pages, beside those for requests with one. */
    private static final int SPARE_THREADS = 32;

    /** Spare threads that pages leave for health. */
    private static final int HEALTH_THREADS = 8;

    private static final int OPERATOR_THREADS = 12;
    /** The most requests that wait for a thread. */
    private static final int MOST_WAITING = 1_024;

    /** The longest wait for a thread. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);
    /** The most connections that wait to be accepted. Beyond them the kernel of a caller tries again after a second. */
    private static final int MOST_ARRIVING = 4_096;

    private final HttpServer.Builder parts;
    private final Server jetty;
    private final ServerConnector connector;

    JettyAssembly(HttpServer.Builder parts) {
        this.parts = parts;
        jetty = new Server(pool("http", parts.limits.threads() + SPARE_THREADS));
        connector = connector(null, parts.address, true);
        connector.addBean(new NetworkConnectionLimit(parts.limits.connections(), connector));
        connector.addBean(
                new ConnectionsPerAddress(parts.limits.connectionsPerAddress(), peer -> parts.names.isProxy(peer)));
    }

    private static QueuedThreadPool pool(String name, int threads) {
        var pool = new QueuedThreadPool(threads, 4);
        pool.setName(name);
        pool.setDaemon(true);
        return pool;
    }

    private ServerConnector connector(@Nullable Executor threads, InetSocketAddress address, boolean secure) {
        var configuration = configuration(address.getAddress().isLoopbackAddress());
        var factory = new HttpConnectionFactory(configuration) {
            @Override
            public Connection newConnection(Connector owner, EndPoint peer) {
                var connection = new HttpConnection(getHttpConfiguration(), owner, peer) {
                    @Override
                    public boolean onIdleExpired(TimeoutException timeout) {
                        // At a stop, the time of idle connections holds for all. One with a request is not idle.
                        return owner.isShutdown()
                                ? getHttpChannel().getRequest() == null
                                : super.onIdleExpired(timeout);
                    }
                };
                return configure(connection, owner, peer);
            }
        };
        var factories = (secure ? TlsContext.of(parts.authentication) : Optional.<TlsContext>empty())
                .map(context -> {
                    configuration.addCustomizer(new SecureRequestCustomizer(false));
                    return AbstractConnectionFactory.getFactories(context, factory);
                })
                .orElse(new ConnectionFactory[] {factory});
        return listening(new ServerConnector(jetty, threads, null, null, 1, 1, factories), address);
    }

    /** The connector for operators, with threads of its own; plain on the loopback address, where programs of this machine ask for health. */
    private ServerConnector operators(InetSocketAddress address) {
        var threads = pool("operators", OPERATOR_THREADS);
        jetty.addBean(threads);
        return connector(threads, address, !address.getAddress().isLoopbackAddress());
    }

    private ServerConnector listening(ServerConnector made, InetSocketAddress address) {
        made.setHost(address.getAddress().getHostAddress());
        made.setPort(address.getPort());
        made.setReuseAddress(true);
        made.setAcceptQueueSize(MOST_ARRIVING);
        made.setIdleTimeout(parts.limits.idle().toMillis());
        made.setShutdownIdleTimeout(IDLE_AT_STOP.toMillis());
        made.addBean(new RefusedHandshakes(parts.authentication.guard()));
        return made;
    }

    private HttpConfiguration configuration(boolean loopback) {
        var http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(16 * 1024);
        // A bare line feed ends no header line: differences between proxies and servers here allow request smuggling.
        http.setHttpCompliance(HttpCompliance.RFC9110.without(
                "no-bare-line-feeds",
                HttpCompliance.Violation.LF_HEADER_TERMINATION,
                HttpCompliance.Violation.LF_CHUNK_TERMINATION));
        http.addCustomizer(new RequestAddresses(parts.names, loopback));
        return http;
    }

    HttpServer start() {
        var limited = new SizeLimitHandler(parts.limits.bodyBytes(), -1);
        var authenticated = new AuthenticationHandler(
                parts.authentication,
                parts.servlets.keySet(),
                parts.names.prefix(),
                new WholeBody(parts.limits, withThreadsForBodies(withThreadsForPages(context()))));
        limited.setHandler(parts.origins.isEmpty() ? authenticated : new ApiOrigins(parts.origins, authenticated));
        jetty.setHandler(new GracefulHandler(limited));
        jetty.setErrorHandler(new PlainErrors());
        jetty.setStopTimeout(GRACE.toMillis());
        try {
            jetty.start();
            parts.beforeListening.forEach(Runnable::run);
            if (parts.operators.isPresent()) {
                listen(operators(parts.operators.get()));
            }
            listen(connector);
        } catch (Exception e) {
            stopQuietly();
            String hint = e instanceof BindException || e.getCause() instanceof BindException
                    ? "\nMaybe another program has the port."
                    : "";
            throw new IllegalStateException(
                    "The server at " + parts.address + " cannot start: " + e.getMessage() + hint, e);
        }
        return new HttpServer(jetty, connector, parts.authentication.tls().isPresent());
    }

    private void listen(ServerConnector added) throws Exception {
        jetty.addConnector(added);
        jetty.manage(added);
        added.start();
    }

    /** Limits requests with a body to their threads, so that they never take the spare ones. */
    private Handler withThreadsForBodies(Handler context) {
        var limiting = new QoSHandler(context) {
            @Override
            protected void reject(Request request, Response response, Callback callback, int status) {
                response.getHeaders().put(HttpHeader.RETRY_AFTER, "10");
                super.reject(request, response, callback, status);
            }
        };
        limiting.includeMethod("POST", "PUT", "PATCH", "DELETE");
        return bounded(limiting, parts.limits.threads());
    }

    /** Limits pages to the spare threads without those for health. Streams of events wait without a thread. */
    private static Handler withThreadsForPages(Handler next) {
        var limiting = new QoSHandler(next);
        limiting.includeMethod("GET", "HEAD");
        limiting.excludePath("/health", "/health/*", "/api/v1/events", "^/api/v1/agreements/[^/]+/events$");
        return bounded(limiting, SPARE_THREADS - HEALTH_THREADS);
    }

    private static Handler bounded(QoSHandler handler, int most) {
        handler.setMaxRequestCount(most);
        handler.setMaxSuspendedRequestCount(MOST_WAITING);
        handler.setMaxSuspend(LONGEST_WAIT);
        return handler;
    }

    /**
     * The servlets, under the path of the public URL. Requests come without that path, so that limits see the same with and without it;
     * here it is put back.
     */
    private Handler context() {
        String prefix = parts.names.prefix();
        var context = new ServletContextHandler(prefix.isEmpty() ? "/" : prefix);
        context.setErrorHandler(new PlainErrors());
        parts.servlets.forEach((path, mounted) -> {
            var holder = new ServletHolder(mounted.servlet());
            mounted.parameters().forEach(holder::setInitParameter);
            if (mounted.eager()) {
                holder.setInitOrder(1);
            }
            context.addServlet(holder, path);
        });
        return prefix.isEmpty()
                ? context
                : new Handler.Wrapper(context) {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback) throws Exception {
                        var uri = HttpURI.build(request.getHttpURI());
                        uri.path(prefix + uri.getPath());
                        return super.handle(Request.serveAs(request, uri.asImmutable()), response, callback);
                    }
                };
    }

    private void stopQuietly() {
        try {
            jetty.stop();
        } catch (Exception e) {
            LOG.debug("A server that did not start did not stop either", e);
        }
    }
}
