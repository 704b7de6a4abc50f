package org.metasched.notice;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.metasched.http.OutboundClient;
import org.metasched.http.OutboundPolicy;
import org.metasched.outbox.Outbox.Message;
import org.metasched.outbox.OutboxDispatcher.Answer;
import org.metasched.outbox.OutboxDispatcher.End;
import org.metasched.trust.ClientCredentials;
import org.metasched.trust.KeyedDigest;

/**
 * Calls of web hooks, signed by Standard Webhooks, and of the mail server. A status of 2xx acknowledges a notice, and 410 ends the subscription.
 * Thread-safe.
 */
public final class NoticeCall implements AutoCloseable {

    static final Duration TIMEOUT = Duration.ofSeconds(15);

    private final OutboundClient http;
    private final Optional<MailSender> mail;
    private final Clock clock;

    /**
     * @param policy policy of calls to the addresses that subscribers name
     * @param caller credentials of the server at the receiver
     * @param mail sender of mail, if mail is sent
     */
    public NoticeCall(OutboundPolicy policy, ClientCredentials caller, Optional<MailSender> mail, Clock clock) {
        this.http = new OutboundClient(policy, caller, TIMEOUT);
        this.mail = mail;
        this.clock = clock;
    }

    void check(String receiver) {
        if (!receiver.startsWith(MailSender.SCHEME)) {
            http.policy().read(receiver);
            return;
        }
        mail.orElseThrow(() ->
                        new IllegalArgumentException("This server sends no mail: it has no mail: in its settings."))
                .check(receiver);
    }

    Answer make(Message message) throws InterruptedException {
        try {
            check(message.receiver());
            if (message.receiver().startsWith(MailSender.SCHEME)) {
                return mail.orElseThrow().send(message, clock.instant());
            }
            int secretEnd = message.body().indexOf('\n');
            String secret = message.body().substring(0, secretEnd);
            String event = message.body().substring(secretEnd + 1);
            String id = message.key().id();
            String time = String.valueOf(clock.instant().getEpochSecond());
            var headers = Map.of(
                    "webhook-id", id,
                    "webhook-timestamp", time,
                    "webhook-signature", "v1," + signature(secret, id + "." + time + "." + event));
            var reply = http.post(
                    URI.create(message.receiver()),
                    "application/cloudevents+json; charset=utf-8",
                    event.getBytes(StandardCharsets.UTF_8),
                    headers,
                    TIMEOUT);
            if (reply.status() == 410) {
                return new Answer(End.DECLINED, "status 410, which ends the subscription");
            }
            return reply.status() / 100 == 2 ? Answer.TOLD : Answer.silent("status " + reply.status());
        } catch (IllegalArgumentException e) {
            return new Answer(End.NOT_CALLED, String.valueOf(e.getMessage()));
        } catch (ExecutionException e) {
            return Answer.silent(String.valueOf(e.getMessage()));
        }
    }

    private static String signature(String secret, String text) {
        byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
        return Base64.getEncoder().encodeToString(KeyedDigest.of(key, text));
    }

    @Override
    public void close() {
        http.close();
    }
}
