package org.metasched.adapter.soap;

import jakarta.servlet.http.HttpServlet;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.bus.CXFBusFactory;
import org.apache.cxf.frontend.WSDLGetUtils;
import org.apache.cxf.jaxb.JAXBDataBinding;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.logging.FaultListener;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
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
 * An HTTP server with several web services and plain servlets: services under {@code /services}, their WSDL at
 * {@code ?wsdl}.
 *
 * <p>Guards every service alike: bodies above the limit are refused before they are read, document type declarations and
 * entities are not known, depth and number of elements are bounded. Listens on the loopback address unless told otherwise.
 */
public final class SoapServer implements AutoCloseable {

    /** Where services live; the rest of the path space is free for servlets. */
    public static final String SERVICES = "/services";

    private static final Logger LOG = LoggerFactory.getLogger(SoapServer.class);
    private static final Duration GRACE = Duration.ofSeconds(10);

    /** What people who read messages are used to see. */
    private static final Map<String, String> PREFIXES = Map.of(
            "http://schemas.ggf.org/graap/2007/03/ws-agreement", "wsag",
            "http://www.w3.org/2005/08/addressing", "wsa",
            "http://docs.oasis-open.org/wsrf/bf-2", "wsrf-bf",
            "http://docs.oasis-open.org/wsrf/r-2", "wsrf-r",
            "http://docs.oasis-open.org/wsrf/rp-2", "wsrf-rp",
            "http://docs.oasis-open.org/wsrf/rl-2", "wsrf-rl",
            "http://schemas.ggf.org/jsdl/2005/11/jsdl", "jsdl",
            "urn:metasched:agreement:1", "ms",
            "urn:metasched:site:1", "site");

    private final Server jetty;
    private final Bus bus;
    private final URI base;

    private SoapServer(Server jetty, ServerConnector connector, Bus bus) {
        this.jetty = jetty;
        this.bus = bus;
        String host = connector.getHost() == null ? "localhost" : connector.getHost();
        String shown = host.contains(":") ? "[" + host + "]" : host;
        this.base = URI.create("http://" + shown + ":" + connector.getLocalPort());
    }

    /** On the loopback address. */
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

        private final InetSocketAddress address;
        private final Map<String, Object> services = new LinkedHashMap<>();
        private final Map<String, HttpServlet> servlets = new LinkedHashMap<>();
        private MessageLimits limits = MessageLimits.USUAL;
        private int threads = 200;

        private Builder(InetSocketAddress address) {
            this.address = address;
        }

        /**
         * Adds a web service.
         *
         * @param name last part of the service's address
         * @param implementor annotated with {@code @WebService}, naming a WSDL on the class path
         */
        public Builder service(String name, Object implementor) {
            services.put("/" + name, implementor);
            return this;
        }

        /**
         * Adds a servlet.
         *
         * @param pathSpec as in a servlet mapping: {@code /health}, {@code /console/*}
         */
        public Builder servlet(String pathSpec, HttpServlet servlet) {
            servlets.put(pathSpec, servlet);
            return this;
        }

        public Builder limits(MessageLimits value) {
            limits = value;
            return this;
        }

        /**
         * Bounds the work.
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
         * @throws IllegalStateException when the address is taken
         */
        public SoapServer start() {
            return new Assembly(this).start();
        }
    }

    /** The base URL, without a slash at its end. */
    public URI base() {
        return base;
    }

    /** The address of one service. */
    public URI service(String name) {
        return base().resolve(SERVICES + "/" + name);
    }

    /** Lets requests under way come to their end, for a few seconds, then stops. */
    @Override
    public void close() {
        try {
            jetty.stop();
        } catch (Exception e) {
            LOG.warn("The server at {} did not stop in order: {}", base(), e.toString());
        } finally {
            bus.shutdown(true);
        }
    }

    /** Puts Jetty, CXF and the services together. */
    private static final class Assembly {

        private final Builder parts;
        private final Bus bus = ownBus();
        private final QueuedThreadPool pool;
        private final Server jetty;
        private final ServerConnector connector;

        Assembly(Builder parts) {
            this.parts = parts;
            this.pool = new QueuedThreadPool(parts.threads, 4);
            pool.setName("http");
            pool.setDaemon(true);
            jetty = new Server(pool);
            connector = new ServerConnector(jetty, 1, 1, new HttpConnectionFactory(http()));
            connector.setHost(parts.address.getAddress().getHostAddress());
            connector.setPort(parts.address.getPort());
            connector.setReuseAddress(true);
        }

        /**
         * Not the one that clients in this process use by default: it ends with this server, and theirs must not. The
         * first bus of a process becomes the default, so that one is made before.
         */
        private static Bus ownBus() {
            BusFactory.getDefaultBus(true);
            return new CXFBusFactory().createBus();
        }

        private static HttpConfiguration http() {
            var http = new HttpConfiguration();
            http.setSendServerVersion(false);
            http.setRequestHeaderSize(16 * 1024);
            return http;
        }

        /** Services are published inside a server that runs; it listens when they all are there. */
        SoapServer start() {
            bus.setProperty(FaultListener.class.getName(), new QuietFaults());
            bus.setProperty(WSDLGetUtils.AUTO_REWRITE_ADDRESS_ALL, true);
            var limited = new SizeLimitHandler(parts.limits.bytes(), -1);
            limited.setHandler(context());
            jetty.setHandler(new GracefulHandler(limited));
            jetty.setErrorHandler(new PlainErrors());
            jetty.setStopTimeout(GRACE.toMillis());
            try {
                jetty.start();
                parts.services.forEach(this::publish);
                jetty.addConnector(connector);
                jetty.manage(connector);
                connector.start();
            } catch (Exception e) {
                bus.shutdown(true);
                stopQuietly();
                throw new IllegalStateException(
                        "The server cannot listen at " + parts.address + ": " + e.getMessage()
                                + "\nMaybe another program has the port.",
                        e);
            }
            return new SoapServer(jetty, connector, bus);
        }

        private ServletContextHandler context() {
            var context = new ServletContextHandler("/");
            var cxf = new CXFNonSpringServlet();
            cxf.setBus(bus);
            var holder = new ServletHolder(cxf);
            holder.setInitParameter("hide-service-list-page", "true");
            holder.setInitOrder(1);
            context.addServlet(holder, SERVICES + "/*");
            parts.servlets.forEach((path, servlet) -> context.addServlet(new ServletHolder(servlet), path));
            return context;
        }

        private void publish(String path, Object implementor) {
            var endpoint = new EndpointImpl(bus, implementor);
            endpoint.setProperties(parts.limits.properties());
            var binding = new JAXBDataBinding();
            binding.setNamespaceMap(PREFIXES);
            endpoint.setDataBinding(binding);
            endpoint.getOutFaultInterceptors().add(new ClearFaults());
            endpoint.publish(path);
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
