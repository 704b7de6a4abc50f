package org.metasched.client;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;

/** The body of an answer, cut off with an {@link IOException} where it is longer than a bound in bytes. */
public final class BoundedBody implements BodySubscriber<byte[]> {

    private final BodySubscriber<byte[]> whole = BodySubscribers.ofByteArray();
    private Runnable cancel = () -> {};
    private long bytesLeft;

    public BoundedBody(long mostBytes) {
        this.bytesLeft = mostBytes;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return whole.getBody();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        cancel = subscription::cancel;
        whole.onSubscribe(subscription);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        bytesLeft -= buffers.stream().mapToLong(ByteBuffer::remaining).sum();
        if (bytesLeft < 0) {
            cancel.run();
            whole.onError(new IOException("its answer is too long"));
        } else {
            whole.onNext(buffers);
        }
    }

    @Override
    public void onError(Throwable problem) {
        whole.onError(problem);
    }

    @Override
    public void onComplete() {
        whole.onComplete();
    }
}
