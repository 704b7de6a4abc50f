package org.metasched.adapter.soap;

import jakarta.servlet.http.HttpServlet;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.bus.CXFBusFactory;
import org.apache.cxf.frontend.WSDLGetUtils;
import org.apache.cxf.jaxb.JAXBDataBinding;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.logging.FaultListener;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;
import org.metasched.http.HttpLimits;
import org.metasched.http.HttpServer;
import org.metasched.trust.Authentication;

/**
 * Several web services beside plain servlets on one {@link HttpServer}: services under {@code /services}, their WSDL at
 * {@code ?wsdl}.
 *
 * <p>All services have the same limits: bodies above the limit are refused unparsed, document type declarations and entities are
 * refused, and the number of elements, their depth and their different names are bounded.
 */
public final class SoapServer implements AutoCloseable {

    /** Path of the services; all other paths are free for servlets. */
    public static final String SERVICES = "/services";

    /** Prefixes that readers of messages expect. */
    private static final Map<String, String> PREFIXES = Map.of(
            "http://schemas.ggf.org/graap/2007/03/ws-agreement", "wsag",
            "http://schemas.ogf.org/graap/2009/11/ws-agreement-negotiation", "wsag-neg",
            "http://www.w3.org/2005/08/addressing", "wsa",
            "http://docs.oasis-open.org/wsrf/bf-2", "wsrf-bf",
            "http://docs.oasis-open.org/wsrf/r-2", "wsrf-r",
            "http://docs.oasis-open.org/wsrf/rp-2", "wsrf-rp",
            "http://docs.oasis-open.org/wsrf/rl-2", "wsrf-rl",
            "http://schemas.ggf.org/jsdl/2005/11/jsdl", "jsdl",
            "urn:metasched:agreement:1", "ms",
            "urn:metasched:site:1", "site");

    private final HttpServer http;
    private final Bus bus;
    private final Set<String> operations;

    private SoapServer(HttpServer http, Bus bus, Set<String> operations) {
        this.http = http;
        this.bus = bus;
        this.operations = Set.copyOf(operations);
    }

    /** A builder for a server on the loopback address. */
    public static Builder onPort(int port) {
        return on(HttpServer.onPort(port));
    }

    /** A builder for services on a server whose address, names, servlets and threads are already chosen. */
    public static Builder on(HttpServer.Builder http) {
        return new Builder(http);
    }

    /** Receives each operation of a service when it has been answered. Thread-safe; returns at once. */
    @FunctionalInterface
    public interface Observer {
        /**
         * @param operation its name in policies
         * @param fault whether the answer is a fault
         * @param took time from arrival to answer
         */
        void ended(String operation, boolean fault, Duration took);
    }

    /** Builds a server. Not thread-safe; used once. */
    public static final class Builder {

        private final HttpServer.Builder http;
        private final Map<String, Object> services = new LinkedHashMap<>();
        private final Set<String> operations = new TreeSet<>();
        private Authentication authentication = Authentication.NONE;
        private Observer observer = (operation, fault, took) -> {};

        private Builder(HttpServer.Builder http) {
            this.http = http;
        }

        /**
         * Adds a web service.
         *
         * @param name last part of the service's address
         * @param implementor object of a class annotated with {@code @WebService}, naming a WSDL on the class path
         */
        public Builder service(String name, Object implementor) {
            services.put("/" + name, implementor);
            return this;
        }

        /**
         * Adds a servlet.
         *
         * @param pathSpec path pattern of a servlet mapping: {@code /health}, {@code /console/*}
         */
        public Builder servlet(String pathSpec, HttpServlet servlet) {
            Stream.of("GET", "POST", "PUT", "DELETE")
                    .filter(method -> answers(servlet.getClass(), method))
                    .forEach(method -> operations.add(HttpServer.operation(method, pathSpec)));
            http.servlet(pathSpec, servlet);
            return this;
        }

        private static boolean answers(Class<?> servlet, String method) {
            String name = "do" + method.charAt(0) + method.substring(1).toLowerCase(Locale.ROOT);
            return Stream.<Class<?>>iterate(servlet, c -> c != null && c != HttpServlet.class, Class::getSuperclass)
                    .flatMap(c -> Stream.of(c.getDeclaredMethods()))
                    .anyMatch(declared -> declared.getName().equals(name));
        }

        /** Sets the observer of the services' operations. */
        public Builder observer(Observer value) {
            observer = value;
            return this;
        }

        /** Sets the authentication of callers; without it there is none. */
        public Builder authentication(Authentication value) {
            http.authentication(value);
            authentication = value;
            return this;
        }

        /**
         * Starts the server, publishes its services, then listens.
         *
         * @throws IllegalStateException when the address is taken
         */
        public SoapServer start() {
            Bus bus = ownBus();
            var cxf = new CXFNonSpringServlet();
            cxf.setBus(bus);
            http.eagerServlet(SERVICES + "/*", cxf, Map.of("hide-service-list-page", "true"))
                    .limits(HttpLimits.DEFAULT.withBodyBytes(MessageLimits.BYTES))
                    .beforeListening(() -> services.forEach((path, service) -> publish(bus, path, service)));
            try {
                return new SoapServer(http.start(), bus, operations);
            } catch (RuntimeException e) {
                bus.shutdown(true);
                throw e;
            }
        }

        /**
         * A bus of its own, which ends with this server. The clients' default bus is made first, as the first bus of a process
         * becomes the default.
         */
        private static Bus ownBus() {
            BusFactory.getDefaultBus(true);
            Bus bus = new CXFBusFactory().createBus();
            bus.setProperty(FaultListener.class.getName(), new QuietFaults());
            bus.setProperty(WSDLGetUtils.AUTO_REWRITE_ADDRESS_ALL, true);
            bus.setProperty(WSDLGetUtils.class.getName(), new ServedAddresses());
            return bus;
        }

        private void publish(Bus bus, String path, Object implementor) {
            var properties = new HashMap<>(MessageLimits.PROPERTIES);
            properties.put(XMLInputFactory.class.getName(), BoundedNames.readers());
            var endpoint = new EndpointImpl(bus, implementor);
            endpoint.setProperties(properties);
            var binding = new JAXBDataBinding();
            binding.setNamespaceMap(PREFIXES);
            endpoint.setDataBinding(binding);
            endpoint.getInInterceptors().add(new MessageEncoding());
            endpoint.getInInterceptors().add(new BoundedNames());
            endpoint.getInInterceptors().add(new UsualPrefixes(PREFIXES));
            authentication
                    .messages()
                    .ifPresent(m -> endpoint.getInInterceptors().add(new ProvenByMessage(authentication)));
            endpoint.getInInterceptors().add(new MessageCheck());
            endpoint.getInInterceptors().add(new AuthorizationInterceptor(path.substring(1), authentication.guard()));
            endpoint.getOutInterceptors().add(new OperationTimes(observer, false));
            endpoint.getOutFaultInterceptors().add(new OperationTimes(observer, true));
            endpoint.getOutInterceptors().add(new AnswersInUtf8());
            endpoint.getOutFaultInterceptors().add(new AnswersInUtf8());
            endpoint.getOutFaultInterceptors().add(new ClearFaults());
            endpoint.publish(path);
            endpoint.getServer()
                    .getEndpoint()
                    .getEndpointInfo()
                    .getInterface()
                    .getOperations()
                    .forEach(o ->
                            operations.add(path.substring(1) + "/" + o.getName().getLocalPart()));
        }
    }

    /** The base URL, without a slash at its end. */
    public URI base() {
        return http.base();
    }

    /** The address of one service. */
    public URI service(String name) {
        return base().resolve(SERVICES + "/" + name);
    }

    /** The operations that callers may ask for, by the names that policies use. */
    public Set<String> operations() {
        return operations;
    }

    /** Waits a few seconds for requests under way, then stops. */
    @Override
    public void close() {
        try {
            http.close();
        } finally {
            bus.shutdown(true);
        }
    }
}
