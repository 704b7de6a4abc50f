package org.metasched.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
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

    @Test
    void aServerThatAnswersIsNotSaidToBeMissing() {
        var path = new CertificateException("unable to find valid certification path to requested target.");
        var untrusted = new SSLHandshakeException("PKIX path building failed");
        untrusted.initCause(path);

        assertThat(ConnectionFailure.of(new IOException(untrusted)))
                .isEqualTo(new ConnectionFailure(
                        "unable to find valid certification path to requested target",
                        "Maybe its certificate is not trusted here, or it wants one of the caller."));
        assertThat(ConnectionFailure.of(new IOException("its answer is no SOAP message"))
                        .maybe())
                .isEqualTo("Maybe its log says more.");
        assertThat(ConnectionFailure.of(new ConnectException("Connection refused"))
                        .maybe())
                .isEqualTo("Maybe it is not running there.");
    }

    @Test
    void aWrongSchemeOfTheUrlIsNamed() {
        assertThat(ConnectionFailure.of(new SSLException("Unsupported or unrecognized SSL message"))
                        .maybe())
                .isEqualTo("Maybe the URL must begin with http://, not with https://.");
        assertThat(ConnectionFailure.of(new IOException("Connection reset")).maybe())
                .endsWith("the port speaks TLS: then the URL must begin with https://.");
    }
}
