package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cxf.Bus;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.io.CacheAndWriteOutputStream;
import org.apache.cxf.io.CachedOutputStream;
import org.apache.cxf.io.CachedOutputStreamCallback;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;

/**
 * Holds each message that the program sends in the tests of this module against the published schemas: all answers and faults of every
 * service, and the requests of its own client and of its call-backs that were not refused. CXF makes one of it for each of its buses, by
 * {@code META-INF/cxf/bus-extensions.txt}; {@link WsagServer#close} asks for what was found.
 */
public final class EmittedMessages {

    /** In a request that a test has written by hand, which may be wrong. */
    static final String HANDWRITTEN = "X-Handwritten";

    private static final Queue<String> WRONG = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger SEEN = new AtomicInteger();

    /** Called by CXF. */
    public EmittedMessages(Bus bus) {
        if (PublishedSchemas.areHere()) {
            bus.getOutInterceptors().add(new Answers());
            bus.getOutInterceptors().add(new AcceptedRequests());
            bus.getOutFaultInterceptors().add(new Answers());
            bus.getInInterceptors().add(new OwnRequests());
        }
    }

    /** Fails when a message since the last time was not valid. */
    static void assertAllValid() {
        var found = List.copyOf(WRONG);
        WRONG.clear();
        assertThat(found).isEmpty();
    }

    static int seen() {
        return SEEN.get();
    }

    private static void judge(byte[] bytes) {
        SEEN.incrementAndGet();
        var text = new String(bytes, StandardCharsets.UTF_8);
        var complaints = PublishedSchemas.complaints(text);
        if (!complaints.isEmpty()) {
            WRONG.add(complaints + "\nin " + text);
        }
    }

    /** Judged when they are written whole. */
    private static final class Answers extends AbstractPhaseInterceptor<Message> {

        Answers() {
            super(Phase.PRE_STREAM);
        }

        @Override
        public void handleMessage(Message message) {
            var plain = message.getContent(OutputStream.class);
            if (plain == null) {
                return;
            }
            var kept = new CacheAndWriteOutputStream(plain);
            kept.registerCallback(new CachedOutputStreamCallback() {
                @Override
                public void onFlush(CachedOutputStream stream) {}

                @Override
                public void onClose(CachedOutputStream stream) {
                    try {
                        byte[] bytes = stream.getBytes();
                        if (bytes.length > 0) {
                            judge(bytes);
                        }
                    } catch (IOException e) {
                        WRONG.add(String.valueOf(e));
                    }
                }
            });
            message.setContent(OutputStream.class, kept);
        }
    }

    /** A document of a user, which our client only carries, may be wrong: then it is refused. */
    private static final class AcceptedRequests extends AbstractPhaseInterceptor<Message> {

        AcceptedRequests() {
            super(Phase.SETUP);
        }

        @Override
        public void handleMessage(Message message) {
            if (message.getExchange().get(HANDWRITTEN) instanceof byte[] request) {
                judge(request);
            }
        }
    }

    /** Our client and our call-backs are known by what the JDK calls itself, and by the lack of a word that they are not. */
    private static final class OwnRequests extends AbstractPhaseInterceptor<Message> {

        OwnRequests() {
            super(Phase.RECEIVE);
        }

        @Override
        public void handleMessage(Message message) {
            var content = message.getContent(InputStream.class);
            if (content == null
                    || !(message.get(Message.PROTOCOL_HEADERS) instanceof Map<?, ?> headers)
                    || !"POST".equals(message.get(Message.HTTP_REQUEST_METHOD))
                    || headers.containsKey(HANDWRITTEN)
                    || !String.valueOf(headers.get("User-Agent")).contains("Java-http-client")) {
                return;
            }
            try {
                byte[] bytes = content.readAllBytes();
                message.getExchange().put(HANDWRITTEN, bytes);
                message.setContent(InputStream.class, new ByteArrayInputStream(bytes));
            } catch (IOException e) {
                throw new Fault(e);
            }
        }
    }
}
