package org.metasched.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Element;

/**
 * Receives decisions about pending offers: the initiator's {@code AgreementAcceptance}, over plain HTTP; a proxy in front of it
 * may speak TLS. Each offer has an address that cannot be guessed; any other address is answered by 404. Thread-safe.
 */
public final class AcceptanceListener implements AutoCloseable {

    private static final int LONGEST_MESSAGE_BYTES = 64 * 1024;
    /** The number of callers that are heard at once, so that a slow one does not hold up the others. */
    private static final int MOST_CALLERS = 16;

    private final HttpServer server;
    private final ExecutorService callers = Executors.newFixedThreadPool(MOST_CALLERS);
    private final URI address;
    /** Decisions by the last part of their addresses. */
    private final Map<String, CompletableFuture<Boolean>> expected = new ConcurrentHashMap<>();

    /**
     * One offer that is waited for.
     *
     * @param address address that the responder is to call
     * @param accepted whether the offer was accepted, once the responder has called; the agreement's state decides in the end
     */
    public record Expected(URI address, CompletableFuture<Boolean> accepted) {}

    private AcceptanceListener(HttpServer server, URI address) {
        this.server = server;
        this.address = address;
    }

    /**
     * Begins to listen.
     *
     * @param local address and port to listen on; port 0 takes any
     * @param base URL under which the responder reaches the listener, with {@code PORT} for the port taken
     */
    public static AcceptanceListener listen(InetSocketAddress local, String base) throws IOException {
        var server = HttpServer.create(local, 0);
        String port = Integer.toString(server.getAddress().getPort());
        var listener = new AcceptanceListener(server, URI.create(base.replace("PORT", port)));
        server.createContext("/", listener::answer);
        server.setExecutor(listener.callers);
        server.start();
        return listener;
    }

    /** Makes an address to be sent with one offer. It is answered until the listener is closed, as a decision may be sent again. */
    public Expected expect() {
        String name = UUID.randomUUID().toString();
        var accepted = new CompletableFuture<Boolean>();
        expected.put(name, accepted);
        return new Expected(URI.create(address + "/" + name), accepted);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            var decision = expected.get(path.substring(path.lastIndexOf('/') + 1));
            byte[] message = exchange.getRequestBody().readNBytes(LONGEST_MESSAGE_BYTES);
            var answer = decision == null ? "" : complete(new String(message, StandardCharsets.UTF_8), decision);
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/soap+xml; charset=utf-8");
            exchange.sendResponseHeaders(decision == null ? 404 : body.length == 0 ? 400 : 200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /** Completes the decision that a message brings; the answer is empty when the message is not understood. */
    private static String complete(String message, CompletableFuture<Boolean> decision) {
        try {
            var content =
                    XmlTrees.child(XmlTrees.parse("call", message).getDocumentElement(), XmlNames.SOAP, "Body").stream()
                            .flatMap(body -> XmlTrees.children(body).stream())
                            .findFirst();
            String name = content.filter(c -> XmlNames.WSAG.equals(c.getNamespaceURI()))
                    .map(Element::getLocalName)
                    .orElse("");
            boolean accepts = name.equals("AcceptAgreementInput");
            if (!accepts && !name.equals("RejectAgreementInput")) {
                return "";
            }
            decision.complete(accepts);
            var envelope = XmlTrees.add(XmlTrees.newDocument(), XmlNames.SOAP, "Envelope");
            XmlTrees.add(
                    XmlTrees.add(envelope, XmlNames.SOAP, "Body"),
                    XmlNames.WSAG,
                    accepts ? "AcceptAgreementResponse" : "RejectAgreementResponse");
            return XmlTrees.print(envelope);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    /** Stops listening. */
    @Override
    public void close() {
        server.stop(0);
        callers.shutdownNow();
    }
}
