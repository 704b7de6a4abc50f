package org.metasched.adapter.soap;

import jakarta.xml.ws.BindingProvider;
import java.net.URI;
import java.time.Duration;
import org.apache.cxf.configuration.jsse.TLSClientParameters;
import org.apache.cxf.configuration.security.AuthorizationPolicy;
import org.apache.cxf.frontend.ClientProxy;
import org.apache.cxf.message.Message;
import org.apache.cxf.transport.http.HTTPConduit;
import org.apache.cxf.transport.http.auth.HttpAuthSupplier;
import org.apache.cxf.transports.http.configuration.HTTPClientPolicy;
import org.jspecify.annotations.Nullable;
import org.metasched.trust.ClientCredentials;

/**
 * Settings of this process's calls of SOAP services.
 *
 * @param credentials credentials of this process
 * @param connectWithin longest time to make a connection
 * @param answerWithin longest wait for the head of an answer, and again for its end; less than a millisecond counts as one
 */
public record OutgoingCalls(ClientCredentials credentials, Duration connectWithin, Duration answerWithin) {

    /** Configures a new port for calls of an address: it follows no redirection, and sends no message in chunks. */
    public <T> T configure(T port, URI address) {
        var values = ((BindingProvider) port).getRequestContext();
        values.put(BindingProvider.ENDPOINT_ADDRESS_PROPERTY, address.toString());
        // A fault of the sender comes with status 400, and must be read.
        values.put(HTTPConduit.PROCESS_FAULT_ON_HTTP_400, true);
        // The body of an answer with status 202 would be looked into before it is timed.
        values.put(Message.PROCESS_202_RESPONSE_ONEWAY_OR_PARTIAL, false);
        var policy = new HTTPClientPolicy();
        policy.setConnectionTimeout(Math.max(1, connectWithin.toMillis())); // 0 would be no limit
        policy.setReceiveTimeout(Math.max(1, answerWithin.toMillis()));
        policy.setAutoRedirect(false);
        policy.setAllowChunking(false);
        var conduit = (HTTPConduit) ClientProxy.getClient(port).getConduit();
        conduit.setClient(policy);
        credentials.tls().ifPresent(context -> {
            var tls = new TLSClientParameters();
            tls.setSslContext(context);
            conduit.setTlsClientParameters(tls);
        });
        conduit.setAuthSupplier(new Bearer(credentials));
        ClientProxy.getClient(port).getInInterceptors().add(new TimedBody.TimedAnswers(answerWithin));
        return port;
    }

    /** Gives the authorization header of each message. */
    private record Bearer(ClientCredentials credentials) implements HttpAuthSupplier {

        @Override
        public boolean requiresRequestCaching() {
            return false;
        }

        @Override
        public @Nullable String getAuthorization(
                AuthorizationPolicy policy, URI uri, Message message, @Nullable String fullHeader) {
            return credentials.authorization(uri).orElse(null);
        }
    }
}
