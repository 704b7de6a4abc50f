package org.metasched.notice;

import jakarta.mail.Message.RecipientType;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPSenderFailedException;
import org.jspecify.annotations.Nullable;
import org.metasched.outbox.Outbox.Message;
import org.metasched.outbox.OutboxDispatcher.Answer;
import org.metasched.outbox.OutboxDispatcher.End;

/** Sends mail of type text/plain to one SMTP server (RFC 5321), with STARTTLS unless told otherwise. Thread-safe. */
public record MailSender(Settings settings) {

    static final String SCHEME = "mailto:";

    private static final String TIMEOUT_MILLIS = String.valueOf(NoticeCall.TIMEOUT.toMillis());
    private static final String ADDRESS = "[A-Za-z0-9._%+=-]{1,64}@([A-Za-z0-9-]{1,63}\\.)*[A-Za-z0-9-]{1,63}";

    /**
     * Settings of the mail server.
     *
     * @param server mail server, whose address is looked up for each mail
     * @param from address of the sender of all mail
     * @param domains domains whose addresses get mail; empty for all
     * @param tls whether the connection must be encrypted
     * @param user name of the user, if the server wants one
     * @param password file of the password
     */
    public record Settings(
            InetSocketAddress server,
            String from,
            List<String> domains,
            boolean tls,
            Optional<String> user,
            Optional<Path> password) {

        public Settings {
            if (!from.matches(ADDRESS)) {
                throw new IllegalArgumentException(
                        "The sender (" + from + ") must be an address such as grid@example.org.");
            }
            domains = domains.stream()
                    .map(domain -> domain.toLowerCase(Locale.ROOT))
                    .toList();
        }
    }

    /**
     * Checks an address of the form {@code mailto:name@domain}.
     *
     * @throws IllegalArgumentException when no mail is sent there
     */
    void check(String receiver) {
        String address = receiver.substring(SCHEME.length());
        String domain = address.substring(address.indexOf('@') + 1).toLowerCase(Locale.ROOT);
        if (!address.matches(ADDRESS)
                || !settings.domains().isEmpty() && !settings.domains().contains(domain)) {
            throw new IllegalArgumentException("The mail address (" + address.replaceAll("\\p{Cntrl}", "?")
                    + ") must be of the form name@domain, with a domain that this server sends mail to.");
        }
    }

    Answer send(Message message, Instant now) {
        var session = Session.getInstance(properties());
        try (var transport = session.getTransport("smtp")) {
            var letter = letter(session, message, now);
            letter.saveChanges();
            transport.connect(settings.user().orElse(null), password());
            transport.sendMessage(letter, letter.getAllRecipients());
            return Answer.TOLD;
        } catch (MessagingException e) {
            return isFinal(e) ? new Answer(End.DECLINED, reason(e)) : Answer.silent(reason(e));
        } catch (IOException e) {
            return Answer.silent("The password of the mail server cannot be read: " + e.getMessage());
        }
    }

    private Properties properties() {
        var properties = new Properties();
        properties.setProperty("mail.smtp.host", settings.server().getHostString());
        properties.setProperty(
                "mail.smtp.port", String.valueOf(settings.server().getPort()));
        properties.setProperty("mail.smtp.localhost", "metasched");
        properties.setProperty("mail.smtp.connectiontimeout", TIMEOUT_MILLIS);
        properties.setProperty("mail.smtp.timeout", TIMEOUT_MILLIS);
        properties.setProperty("mail.smtp.writetimeout", TIMEOUT_MILLIS);
        properties.setProperty("mail.smtp.starttls.enable", String.valueOf(settings.tls()));
        properties.setProperty("mail.smtp.starttls.required", String.valueOf(settings.tls()));
        properties.setProperty("mail.smtp.ssl.checkserveridentity", "true");
        properties.setProperty("mail.smtp.auth", String.valueOf(settings.user().isPresent()));
        return properties;
    }

    private @Nullable String password() throws IOException {
        return settings.password().isEmpty()
                ? null
                : Files.readString(settings.password().get()).strip();
    }

    private MimeMessage letter(Session session, Message message, Instant now) throws MessagingException {
        int subjectEnd = message.body().indexOf('\n');
        var letter = new MimeMessage(session) {
            @Override
            protected void updateMessageID() throws MessagingException {
                setHeader(
                        "Message-ID",
                        "<" + message.key().id() + "@" + settings.from().replaceFirst(".*@", "") + ">");
            }
        };
        letter.setFrom(new InternetAddress(settings.from(), true));
        letter.setRecipient(
                RecipientType.TO, new InternetAddress(message.receiver().substring(SCHEME.length()), true));
        letter.setSubject(message.body().substring(0, subjectEnd), StandardCharsets.UTF_8.name());
        letter.setSentDate(Date.from(now));
        letter.setHeader("Auto-Submitted", "auto-generated");
        letter.setText(message.body().substring(subjectEnd + 1), StandardCharsets.UTF_8.name());
        return letter;
    }

    /** Whether the mail server has rejected the mail for good, by a reply code from 500 on. */
    private static boolean isFinal(MessagingException failure) {
        int code = failure instanceof SMTPAddressFailedException address
                ? address.getReturnCode()
                : failure instanceof SMTPSenderFailedException sender
                        ? sender.getReturnCode()
                        : failure instanceof SMTPSendFailedException send ? send.getReturnCode() : 0;
        return code >= 500 || failure.getNextException() instanceof MessagingException next && isFinal(next);
    }

    private static String reason(MessagingException failure) {
        Exception last = failure;
        while (last instanceof MessagingException cause && cause.getNextException() != null) {
            last = cause.getNextException();
        }
        return "The mail server: "
                + String.valueOf(last.getMessage())
                        .replaceAll("\\p{Cntrl}+", " ")
                        .strip();
    }
}
