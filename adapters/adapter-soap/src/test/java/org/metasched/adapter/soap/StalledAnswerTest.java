package org.metasched.adapter.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.SiteId;
import org.metasched.trust.ClientCredentials;

/** A site that begins an answer and never ends it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StalledAnswerTest {

    private final CountDownLatch begun = new CountDownLatch(1);
    private ServerSocket site;
    private volatile String status = "200 OK";
    private volatile String body = "<s:Env";

    @BeforeEach
    void listen() throws IOException {
        site = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        new Thread(this::beginAnAnswer).start();
    }

    private void beginAnAnswer() {
        try (var caller = site.accept()) {
            caller.getInputStream().read();
            caller.getOutputStream()
                    .write(("HTTP/1.1 " + status
                                    + "\r\nContent-Type: application/soap+xml\r\nContent-Length: 900\r\n\r\n" + body)
                            .getBytes(StandardCharsets.US_ASCII));
            begun.countDown();
            caller.getInputStream().readAllBytes();
        } catch (IOException expected) {
            // The caller hangs up.
        }
    }

    @AfterEach
    void close() throws IOException {
        site.close();
    }

    @ParameterizedTest
    @CsvSource({"200 OK, <s:Env", "200 OK, ''", "202 Accepted, ''", "500 Error, <s:Env"})
    void isWaitedForNoLongerThanTold(String answered, String begin) throws Exception {
        status = answered;
        body = begin;
        try (var patient = calls(Duration.ofSeconds(1))) {
            assertThatThrownBy(() -> patient.cancel(new ReservationId("R1")))
                    .isInstanceOf(Unreachable.class)
                    .hasMessageContaining("gave no answer to");
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }

    @Test
    void isNoLongerWaitedForWhenTheThreadIsInterrupted() throws Exception {
        var caught = new AtomicReference<Throwable>();
        var stillInterrupted = new AtomicReference<Boolean>();
        var caller = new Thread(() -> {
            try (var waiting = calls(Duration.ofMinutes(10))) {
                waiting.cancel(new ReservationId("R1"));
            } catch (Exception e) {
                caught.set(e);
                stillInterrupted.set(Thread.currentThread().isInterrupted());
            }
        });
        caller.start();
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

        caller.interrupt();
        caller.join();

        assertThat(caught.get()).isInstanceOf(Unreachable.class);
        assertThat(stillInterrupted.get()).isTrue();
    }

    private RemoteScheduler calls(Duration answerWithin) {
        return RemoteScheduler.at(
                new SiteId("fzj"),
                URI.create("http://127.0.0.1:" + site.getLocalPort() + "/services/Site"),
                new OutgoingCalls(ClientCredentials.ANONYMOUS, Duration.ofSeconds(10), answerWithin));
    }
}
