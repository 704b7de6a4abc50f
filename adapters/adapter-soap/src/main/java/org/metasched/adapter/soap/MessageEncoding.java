package org.metasched.adapter.soap;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.jspecify.annotations.Nullable;

/**
 * Finds the character encoding of a message: byte order mark, then {@code charset} of the content type, then the XML
 * declaration, then UTF-8 (RFC 7303, section 3). Another content type than SOAP's gets status 415.
 */
final class MessageEncoding extends AbstractPhaseInterceptor<Message> {

    private static final int UNSUPPORTED = 415;
    private static final int LONGEST_DECLARATION = 256;
    private static final Pattern DECLARED =
            Pattern.compile("^<\\?xml[^>]*?\\sencoding\\s*=\\s*[\"']([A-Za-z][A-Za-z0-9._-]*)[\"']");
    private static final Pattern PARAMETER =
            Pattern.compile(";\\s*charset\\s*=\\s*\"?([^\";\\s]+)", Pattern.CASE_INSENSITIVE);

    MessageEncoding() {
        super(Phase.RECEIVE);
    }

    @Override
    public void handleMessage(Message message) {
        InputStream content = message.getContent(InputStream.class);
        if (content == null || "GET".equals(message.get(Message.HTTP_REQUEST_METHOD))) {
            return;
        }
        refuseOtherTypes(message);
        try {
            var pushback = new PushbackInputStream(content, LONGEST_DECLARATION);
            byte[] begin = pushback.readNBytes(LONGEST_DECLARATION);
            Charset mark = byMark(begin);
            int skipped = mark == null ? 0 : mark.equals(StandardCharsets.UTF_8) ? 3 : 2;
            pushback.unread(begin, skipped, begin.length - skipped);
            Charset encoding = mark != null ? mark : declared(message, begin);
            message.setContent(InputStream.class, pushback);
            message.put(Message.ENCODING, encoding.name());
        } catch (IOException e) {
            throw new Fault(e);
        }
    }

    private static void refuseOtherTypes(Message message) {
        String type = String.valueOf(message.get(Message.CONTENT_TYPE)).toLowerCase(Locale.ROOT);
        String bare = type.contains(";") ? type.substring(0, type.indexOf(';')).strip() : type.strip();
        if (!bare.equals("text/xml") && !bare.equals("application/soap+xml")) {
            throw refusal("the content type must be text/xml (SOAP 1.1) or application/soap+xml (SOAP 1.2)");
        }
    }

    private static @Nullable Charset byMark(byte[] begin) {
        if (begins(begin, 0xEF, 0xBB, 0xBF)) {
            return StandardCharsets.UTF_8;
        } else if (begins(begin, 0xFE, 0xFF)) {
            return StandardCharsets.UTF_16BE;
        }
        return begins(begin, 0xFF, 0xFE) ? StandardCharsets.UTF_16LE : null;
    }

    private static boolean begins(byte[] bytes, int... mark) {
        return bytes.length >= mark.length
                && IntStream.range(0, mark.length).allMatch(i -> Byte.toUnsignedInt(bytes[i]) == mark[i]);
    }

    private static Charset declared(Message message, byte[] begin) {
        return first(PARAMETER.matcher(String.valueOf(message.get(Message.CONTENT_TYPE))))
                .or(() -> first(DECLARED.matcher(new String(begin, StandardCharsets.ISO_8859_1))))
                .flatMap(MessageEncoding::charset)
                .orElse(StandardCharsets.UTF_8);
    }

    private static Optional<String> first(Matcher matcher) {
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    /**
     * The charset of a name; empty for an unknown name in a declaration. {@link org.metasched.http.HttpServer} has refused unknown names in
     * the content type.
     */
    private static Optional<Charset> charset(String name) {
        try {
            return Optional.of(Charset.forName(name));
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return Optional.empty();
        }
    }

    private static Fault refusal(String reason) {
        var fault = new Fault(new IOException(reason));
        fault.setStatusCode(UNSUPPORTED);
        return fault;
    }
}
