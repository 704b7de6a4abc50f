package org.metasched.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * A handler that reads the whole body of a request before it takes a thread. A body that arrives in small parts costs its bytes, and no thread. A
 * body that is too slow gets status 408, one for which no memory is left 503.
 */
final class WholeBody extends Handler.Wrapper {

    /** Time before the speed of a body is judged, in nanoseconds. */
    private static final long GRACE = Duration.ofSeconds(10).toNanos();

    private final HttpLimits limits;
    /** Bytes of all bodies that are being read or served. */
    private final AtomicLong held = new AtomicLong();

    WholeBody(HttpLimits limits, Handler next) {
        super(next);
        this.limits = limits;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        boolean hasBody = request.getLength() > 0
                || request.getLength() < 0 && request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
        if (!hasBody) {
            return super.handle(request, response, callback);
        }
        if (!isCharsetKnown(request)) {
            Response.writeError(request, response, callback, HttpStatus.UNSUPPORTED_MEDIA_TYPE_415);
            return true;
        }
        new Loading(request, response, callback).run();
        return true;
    }

    private static boolean isCharsetKnown(Request request) {
        try {
            Request.getCharset(request);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private boolean serve(Request request, Response response, Callback callback) throws Exception {
        return super.handle(request, response, callback);
    }

    /** One body that is being read. Its steps run one after the other, each when bytes are there. */
    private final class Loading implements Runnable {
        private final Request request;
        private final Response response;
        private final Callback callback;
        private final long begin = System.nanoTime();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Loading(Request request, Response response, Callback callback) {
            this.request = request;
            this.response = response;
            this.callback = Callback.from(callback, this::releaseRoom);
        }

        private void releaseRoom() {
            held.addAndGet(-bytes.size());
        }

        @Override
        public void run() {
            while (true) {
                var chunk = request.read();
                if (chunk == null) {
                    request.demand(this);
                    return;
                }
                if (Content.Chunk.isFailure(chunk)) {
                    refuse(codeOf(chunk.getFailure()), chunk.getFailure());
                    return;
                }
                boolean last = chunk.isLast();
                int code = addChunk(chunk);
                if (code != HttpStatus.OK_200) {
                    refuse(code, null);
                    return;
                }
                if (last) {
                    serveLoaded();
                    return;
                }
            }
        }

        /** Adds a part of the body; returns the status of its refusal, or 200. */
        private int addChunk(Content.Chunk chunk) {
            int size = chunk.remaining();
            byte[] part = new byte[size];
            chunk.getByteBuffer().get(part);
            chunk.release();
            bytes.writeBytes(part);
            if (held.addAndGet(size) > limits.bytesWaiting()) {
                return HttpStatus.SERVICE_UNAVAILABLE_503;
            }
            long nanos = System.nanoTime() - begin;
            boolean slow = nanos > GRACE && bytes.size() < limits.bytesPerSecond() * (nanos / 1e9);
            return slow ? HttpStatus.REQUEST_TIMEOUT_408 : HttpStatus.OK_200;
        }

        private void refuse(int code, @Nullable Throwable problem) {
            if (code == HttpStatus.OK_200) {
                callback.failed(problem);
                return;
            }
            response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
            if (code == HttpStatus.SERVICE_UNAVAILABLE_503) {
                response.getHeaders().put(HttpHeader.RETRY_AFTER, "5");
            }
            Response.writeError(request, response, callback, code);
        }

        /** The status for a failed read; 200 if the connection has failed, so that no answer arrives. */
        private int codeOf(Throwable failure) {
            for (Throwable t = failure; t != null; t = t.getCause()) {
                if (t instanceof HttpException refused) {
                    return refused.getCode();
                }
                if (t instanceof TimeoutException) {
                    return HttpStatus.REQUEST_TIMEOUT_408;
                }
            }
            return HttpStatus.OK_200;
        }

        private void serveLoaded() {
            var loaded = new Loaded(request, bytes.toByteArray());
            try {
                if (!serve(loaded, response, callback)) {
                    Response.writeError(loaded, response, callback, HttpStatus.NOT_FOUND_404);
                }
            } catch (Throwable e) {
                Response.writeError(loaded, response, callback, e);
            }
        }
    }

    /** A request whose body has been read. */
    private static final class Loaded extends Request.Wrapper {
        private final int length;
        private @Nullable ByteBuffer rest;
        private @Nullable Throwable failure;

        Loaded(Request request, byte[] body) {
            super(request);
            length = body.length;
            rest = ByteBuffer.wrap(body);
        }

        @Override
        public long getLength() {
            return length;
        }

        @Override
        public synchronized Content.Chunk read() {
            if (failure != null) {
                return Content.Chunk.from(failure);
            }
            ByteBuffer whole = rest;
            rest = null;
            return whole == null ? Content.Chunk.EOF : Content.Chunk.from(whole, true);
        }

        @Override
        public boolean consumeAvailable() {
            rest = null;
            return true;
        }

        @Override
        public void demand(Runnable ready) {
            getComponents().getExecutor().execute(ready);
        }

        @Override
        public synchronized void fail(Throwable problem) {
            failure = problem;
        }
    }
}
