package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.metasched.client.AcceptanceListener;
import org.metasched.http.OutboundPolicy;
import org.metasched.trust.ClientCredentials;

/**
 * The walk of each client of {@code examples/soap-client}: templates, an offer refused and one accepted, properties, query, a pending offer with its
 * call-back, negotiation, renegotiation, end.
 */
final class WholeWay implements AutoCloseable {

    private static final String[] LINES = {
        "template CO-ALLOCATION 1",
        "refused SITE_UNKNOWN",
        "state Observed",
        "terms 3",
        "pending Observed",
        "counter offer Advisory",
        "counter offer Acceptable",
        "negotiated Observed",
        "counter offer Acceptable",
        "renegotiated Observed",
        "replaced Terminated",
        "state Terminated",
        "fault AGREEMENT_FINAL"
    };

    private final WsagServer responder;
    private final AcceptanceCalls calls;
    private final AcceptanceListener initiator;

    WholeWay(WsagServer responder) throws Exception {
        this.responder = responder;
        calls = new AcceptanceCalls(responder.grid.memory, OutboundPolicy.LOCAL, ClientCredentials.ANONYMOUS);
        responder.making.changes().onChange(calls);
        initiator = AcceptanceListener.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), "http://127.0.0.1:PORT");
    }

    /** Runs a client, which must take each step, be called back, and leave nothing held. */
    void goes(List<String> command) throws Exception {
        var offer = initiator.expect();
        assertWalked(ForeignProgram.run(
                Stream.concat(Stream.of("env", "ACCEPTANCE=" + offer.address()), command.stream())
                        .toList()));
        assertThat(offer.accepted().get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(responder.grid.heldEverywhere()).isZero();
    }

    static void assertWalked(String said) {
        assertThat(said.lines()
                        .filter(line -> !line.startsWith("agreement ") && !line.startsWith("reserved "))
                        .toList())
                .as(said)
                .containsSequence(LINES);
    }

    @Override
    public void close() {
        initiator.close();
        calls.close();
    }
}
