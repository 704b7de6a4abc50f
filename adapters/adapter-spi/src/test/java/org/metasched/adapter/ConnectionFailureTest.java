package org.metasched.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

/** What the JDK's client throws without a word. */
class ConnectionFailureTest {

    @Test
    void aClosedConnectionIsNamedThoughTheJdkSaysNothing() {
        assertThat(ConnectionFailure.of(new IOException(new ClosedChannelException()))
                        .reason())
                .isEqualTo("the connection ended without an answer");
        assertThat(ConnectionFailure.of(new AsynchronousCloseException()).reason())
                .isEqualTo("the connection ended without an answer");
    }

    @Test
    void aRefusedConnectionIsRefusedThoughItsCauseIsAClosedChannel() {
        var refused = new ConnectException();
        refused.initCause(new ClosedChannelException());

        assertThat(ConnectionFailure.of(new IOException(refused)).reason()).isEqualTo("connection refused");
    }
}
