package org.metasched.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.metasched.adapter.ConnectionFailure;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Element;

/** Messages of SOAP 1.2 with WS-Addressing, and their answers. No redirection is followed. Thread-safe. */
final class SoapCalls {

    private static final String FAULT = "http://docs.oasis-open.org/wsrf/bf-2";
    private static final int LONGEST_ANSWER_BYTES = 64 * 1024 * 1024;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final URI server;
    private final Duration patience;
    private final Credentials credentials;
    private final HttpClient http;

    SoapCalls(URI server, Duration patience, Credentials credentials) {
        if (!"http".equals(server.getScheme()) && !"https".equals(server.getScheme())) {
            throw new IllegalArgumentException(
                    "The server's address (" + server + ") must begin with http:// or https://.");
        }
        this.server = server;
        this.patience = patience;
        this.credentials = credentials;
        var builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT_TIMEOUT);
        credentials.tls().ifPresent(builder::sslContext);
        this.http = builder.build();
    }

    /**
     * Sends the request to a service.
     *
     * @param path path of the service below {@code /services/}
     * @param namespace first part of the action, such as that of WS-Agreement
     * @param operation the rest of the action, without {@code Request}
     * @return the one element of the answer's body
     */
    Element call(String path, String namespace, String operation, Element request)
            throws AgreementFaultException, IOException {
        var address = address(path);
        String action = namespace + "/" + operation + "Request";
        var post = HttpRequest.newBuilder(address)
                .header("Content-Type", "application/soap+xml; charset=UTF-8; action=\"" + action + "\"")
                .POST(HttpRequest.BodyPublishers.ofString(XmlTrees.print(envelope(address, action, request))));
        try {
            credentials.authorization().apply(address).ifPresent(proof -> post.header("Authorization", proof));
            return answer(exchange(post.build()));
        } catch (ProtocolException e) {
            throw new IOException("The server at " + server + " does not take the message: " + e.getMessage() + ".", e);
        } catch (IOException | IllegalArgumentException e) {
            var failure = ConnectionFailure.of(e);
            throw new IOException(
                    "The server at " + server + " gave no answer: " + failure.reason() + ".\n" + failure.maybe(), e);
        }
    }

    URI address(String path) {
        String base = server.toString();
        return URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + "/services/" + path);
    }

    private static Element envelope(URI to, String action, Element request) {
        var envelope = XmlTrees.add(XmlTrees.newDocument(), XmlNames.SOAP, "Envelope");
        var header = XmlTrees.add(envelope, XmlNames.SOAP, "Header");
        XmlTrees.add(header, XmlNames.ADDRESSING, "To", to.toString());
        XmlTrees.add(header, XmlNames.ADDRESSING, "Action", action);
        XmlTrees.add(header, XmlNames.ADDRESSING, "MessageID", "urn:uuid:" + UUID.randomUUID());
        XmlTrees.adopt(XmlTrees.add(envelope, XmlNames.SOAP, "Body"), request);
        return envelope;
    }

    private HttpResponse<byte[]> exchange(HttpRequest request) throws IOException {
        var sent = http.sendAsync(request, answer -> new BoundedBody(LONGEST_ANSWER_BYTES));
        try {
            return sent.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            sent.cancel(true);
            throw new IOException("it took too long", e);
        } catch (InterruptedException e) {
            sent.cancel(true);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the wait was cut off");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        }
    }

    private static Element answer(HttpResponse<byte[]> response) throws AgreementFaultException, IOException {
        var type = response.headers().firstValue("Content-Type").orElse("");
        if (!type.contains("xml") || !List.of(200, 400, 500).contains(response.statusCode())) {
            throw new ProtocolException(ConnectionFailure.ofStatus(response.statusCode()));
        }
        var envelope = XmlTrees.parse("answer", new String(response.body(), StandardCharsets.UTF_8))
                .getDocumentElement();
        var content = XmlTrees.child(envelope, XmlNames.SOAP, "Body").stream()
                .flatMap(body -> XmlTrees.children(body).stream())
                .findFirst()
                .orElseThrow(() -> new IOException("its answer is no SOAP message"));
        if (XmlTrees.is(content, XmlNames.SOAP, "Fault")) {
            throw fault(content);
        }
        return content;
    }

    /** The exception of a fault, with the code and descriptions of a WS-BaseFault, else of the SOAP fault's reason, which may begin with a code. */
    private static AgreementFaultException fault(Element fault) {
        var detail = XmlTrees.child(fault, XmlNames.SOAP, "Detail").stream()
                .flatMap(d -> XmlTrees.children(d).stream())
                .findFirst();
        if (detail.isEmpty()) {
            String reason = XmlTrees.child(fault, XmlNames.SOAP, "Reason")
                    .flatMap(told -> XmlTrees.childText(told, XmlNames.SOAP, "Text"))
                    .orElse("no reason was given");
            String[] codeAndText = reason.split(": ", 2);
            return codeAndText.length == 2 && codeAndText[0].matches("[A-Z_]+")
                    ? new AgreementFaultException(codeAndText[0], List.of(codeAndText[1]))
                    : new AgreementFaultException("", List.of(reason));
        }
        return new AgreementFaultException(
                XmlTrees.childText(detail.get(), FAULT, "ErrorCode").orElse(""),
                XmlTrees.children(detail.get(), FAULT, "Description")
                        .map(XmlTrees::text)
                        .toList());
    }
}
