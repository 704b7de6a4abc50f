package org.metasched.adapter.soap;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.cxf.interceptor.AttachmentInInterceptor;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;

/** The body of an answer, which must end before a deadline. An interrupt of the reading thread ends it, too. Not thread-safe. */
final class TimedBody extends InputStream {

    /** Threads that wait for bytes, since streams of JDK 17 ignore interrupts. */
    private static final ExecutorService READERS = Executors.newCachedThreadPool(task -> {
        var thread = new Thread(task, "answers");
        thread.setDaemon(true);
        return thread;
    });

    private final InputStream body;
    private final long deadline;

    private TimedBody(InputStream body, Duration within) {
        this.body = body;
        deadline = System.nanoTime() + within.toNanos();
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        var reading = READERS.submit(() -> body.read(bytes, offset, length));
        try {
            return reading.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException problem ? problem : new IOException(e.getCause());
        } catch (TimeoutException e) {
            body.close();
            throw new SocketTimeoutException("The answer began, and did not end in time.");
        } catch (InterruptedException e) {
            body.close();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    @Override
    public void close() throws IOException {
        body.close();
    }

    /** Times the bodies of all answers of a client: the library limits the wait for their heads only. */
    static final class TimedAnswers extends AbstractPhaseInterceptor<Message> {

        private final Duration within;

        TimedAnswers(Duration within) {
            super(Phase.RECEIVE);
            addBefore(AttachmentInInterceptor.class.getName());
            this.within = within;
        }

        @Override
        public void handleMessage(Message message) {
            var body = message.getContent(InputStream.class);
            if (body != null) {
                message.setContent(InputStream.class, new TimedBody(body, within));
            }
        }
    }
}
