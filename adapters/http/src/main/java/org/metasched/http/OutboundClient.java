package org.metasched.http;

import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.CompletableResponseListener;
import org.eclipse.jetty.client.ContentResponse;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.http.HttpCookieStore;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.SocketAddressResolver;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.metasched.trust.ClientCredentials;

/**
 * Calls addresses that strangers name, under an {@link OutboundPolicy}. Connects to the addresses that the policy has checked, follows no
 * redirection, bounds time, answer and calls to one destination, and knows neither cookies, passwords nor proxies. Thread-safe.
 */
public final class OutboundClient implements AutoCloseable {

    /** The greatest length of an answer's headers, and of its body, in bytes. */
    private static final int MOST_ANSWER = 64 * 1024;
    /** Connections, and so calls at the same time, to one destination. */
    private static final int PER_DESTINATION = 2;

    private static final int WAITING_PER_DESTINATION = 64;

    private final OutboundPolicy policy;
    private final HttpClient client;

    /** The answer to a call. */
    public record Reply(int status, byte[] body) {}

    /** @param caller owner of the certificate that is presented; its token is for known servers only, and not sent */
    public OutboundClient(OutboundPolicy policy, ClientCredentials caller, Duration connectWithin) {
        this.policy = policy;
        var threads = new QueuedThreadPool(64, 2);
        threads.setName("outbound");
        threads.setDaemon(true);
        var connector = new ClientConnector();
        caller.tls().ifPresent(context -> {
            var factory = new SslContextFactory.Client();
            factory.setSslContext(context);
            connector.setSslContextFactory(factory);
        });
        client = new HttpClient(new HttpClientTransportOverHTTP(connector));
        client.setExecutor(threads);
        client.setFollowRedirects(false);
        client.setUserAgentField(null);
        client.setMaxResponseHeadersSize(MOST_ANSWER);
        client.setHttpCookieStore(new HttpCookieStore.Empty());
        client.setConnectTimeout(connectWithin.toMillis());
        client.setIdleTimeout(connectWithin.multipliedBy(2).toMillis());
        client.setMaxConnectionsPerDestination(PER_DESTINATION);
        client.setMaxRequestsQueuedPerDestination(WAITING_PER_DESTINATION);
        client.setDestinationIdleTimeout(Duration.ofMinutes(1).toMillis());
        client.setSocketAddressResolver(new Checked(threads, policy));
        try {
            client.start();
        } catch (Exception e) {
            throw new IllegalStateException("The client for outbound calls did not start: " + e.getMessage(), e);
        }
        client.getContentDecoderFactories().clear();
    }

    public OutboundPolicy policy() {
        return policy;
    }

    /**
     * Posts one message.
     *
     * @param headers headers beside the type of the body
     * @param within longest time of the whole call
     * @throws IllegalArgumentException when the policy does not allow the address
     * @throws ExecutionException when no answer came, or one of more than 64 KiB
     */
    public Reply post(URI address, String contentType, byte[] body, Map<String, String> headers, Duration within)
            throws ExecutionException, InterruptedException {
        var request = client.POST(policy.read(address.toString()))
                .headers(h -> {
                    h.put(HttpHeader.CONTENT_TYPE, contentType);
                    headers.forEach(h::put);
                })
                .body(new BytesRequestContent(body))
                .timeout(within.toMillis(), TimeUnit.MILLISECONDS);
        CompletableFuture<ContentResponse> answer = new CompletableResponseListener(request, MOST_ANSWER).send();
        try {
            var response = answer.get();
            return new Reply(response.getStatus(), response.getContent());
        } catch (CancellationException e) {
            throw new ExecutionException(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Forbidden refused) {
                throw refused;
            }
            throw e;
        } finally {
            answer.cancel(true);
        }
    }

    @Override
    public void close() {
        try {
            client.stop();
        } catch (Exception e) {
            throw new IllegalStateException("The client for outbound calls did not stop: " + e.getMessage(), e);
        }
    }

    /** The policy's refusal, apart from the client's own exceptions of the same type. */
    private static final class Forbidden extends IllegalArgumentException {

        Forbidden(IllegalArgumentException reason) {
            super(reason.getMessage(), reason);
        }
    }

    /** Resolves hosts, each address checked by the policy; the client has no other way. */
    private record Checked(QueuedThreadPool threads, OutboundPolicy policy) implements SocketAddressResolver {

        @Override
        public void resolve(
                String host, int port, Map<String, Object> context, Promise<List<InetSocketAddress>> promise) {
            threads.execute(() -> {
                try {
                    promise.succeeded(policy.resolve(host).stream()
                            .map(at -> new InetSocketAddress(at, port))
                            .toList());
                } catch (IllegalArgumentException e) {
                    promise.failed(new Forbidden(e));
                } catch (UnknownHostException | RuntimeException e) {
                    promise.failed(e);
                }
            });
        }
    }
}
