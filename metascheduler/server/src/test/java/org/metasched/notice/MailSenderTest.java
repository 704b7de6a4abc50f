package org.metasched.notice;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.metasched.outbox.Outbox.Kind;
import org.metasched.outbox.Outbox.Message;
import org.metasched.outbox.Outbox.MessageKey;
import org.metasched.outbox.OutboxDispatcher.Answer;
import org.metasched.outbox.OutboxDispatcher.End;

class MailSenderTest {

    private static final Instant NOW = Instant.parse("2026-11-26T00:00:00Z");

    private static Answer send(MailServer server, boolean tls) {
        return send(server.address(), tls);
    }

    private static Answer send(InetSocketAddress server, boolean tls) {
        var settings =
                new MailSender.Settings(server, "grid@example.org", List.of(), tls, Optional.empty(), Optional.empty());
        var message = new Message(
                new MessageKey(Kind.NOTICE, "n1", "lane"),
                "mailto:alice@example.org",
                "Züge of naïve jobs\n.\nÄ text",
                0);
        return new MailSender(settings).send(message, NOW);
    }

    @Test
    void aReceiverWhoIsUnknownGetsNoSecondCall() throws IOException {
        try (var server = new MailServer("550 no such user")) {
            var answer = send(server, false);

            assertThat(answer.end()).isEqualTo(End.DECLINED);
            assertThat(answer.why()).contains("550 no such user");
            assertThat(server.letters).isEmpty();
        }
    }

    @Test
    void aBusyServerIsCalledAgain() throws IOException {
        try (var server = new MailServer("450 later")) {
            assertThat(send(server, false).end()).isNull();
        }
    }

    @Test
    void mailStaysHereWhenTheServerDoesNotEncrypt() throws IOException {
        try (var server = new MailServer("250 ok")) {
            var answer = send(server, true);

            assertThat(answer.end()).isNull();
            assertThat(answer.why()).contains("STARTTLS");
            assertThat(server.letters).isEmpty();
        }
    }

    @Test
    void aServerThatIsGoneIsCalledAgain() throws IOException {
        // A port that is taken, by a socket that does not listen: no other server can get it meanwhile.
        try (var taken = new Socket()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

            assertThat(send((InetSocketAddress) taken.getLocalSocketAddress(), false)
                            .end())
                    .isNull();
        }
    }

    @Test
    void textOutsideOfAsciiIsEncoded() throws Exception {
        try (var server = new MailServer("250 ok")) {
            assertThat(send(server, false)).isEqualTo(Answer.TOLD);
            assertThat(server.letters.take())
                    .contains("Message-ID: <n1@example.org>", "Subject: =?UTF-8?Q?Z=C3=BCge_of_na=C3=AFve_jobs?=")
                    .allMatch(line -> line.chars().allMatch(c -> c < 128));
        }
    }
}
