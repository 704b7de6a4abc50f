package org.metasched.adapter.soap;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Locale;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;

/**
 * Decides what tells the character encoding of a message: byte order mark, then {@code charset} of the content type, then the XML
 * declaration, then UTF-8 (RFC 7303, section 3). Without a {@code charset}, and with a mark, the reader of XML finds it. Another content type
 * than SOAP's gets status 415.
 */
final class MessageEncoding extends AbstractPhaseInterceptor<Message> {

    private static final int UNSUPPORTED = 415;

    MessageEncoding() {
        super(Phase.RECEIVE);
    }

    @Override
    public void handleMessage(Message message) {
        InputStream content = message.getContent(InputStream.class);
        if (content == null || "GET".equals(message.get(Message.HTTP_REQUEST_METHOD))) {
            return;
        }
        String type = String.valueOf(message.get(Message.CONTENT_TYPE)).toLowerCase(Locale.ROOT);
        refuseOtherTypes(type);
        try {
            var pushback = new PushbackInputStream(content, 2);
            byte[] begin = pushback.readNBytes(2);
            pushback.unread(begin);
            message.setContent(InputStream.class, pushback);
            if (!type.contains("charset") || beginsMark(begin)) {
                message.remove(Message.ENCODING);
            }
        } catch (IOException e) {
            throw new Fault(e);
        }
    }

    private static void refuseOtherTypes(String type) {
        String bare = type.contains(";") ? type.substring(0, type.indexOf(';')).strip() : type.strip();
        if (!bare.equals("text/xml") && !bare.equals("application/soap+xml")) {
            var fault = new Fault(
                    new IOException("the content type must be text/xml (SOAP 1.1) or application/soap+xml (SOAP 1.2)"));
            fault.setStatusCode(UNSUPPORTED);
            throw fault;
        }
    }

    /** Whether two bytes begin a byte order mark; no message begins with them otherwise. */
    private static boolean beginsMark(byte[] begin) {
        int bytes = begin.length < 2 ? 0 : Byte.toUnsignedInt(begin[0]) << 8 | Byte.toUnsignedInt(begin[1]);
        return bytes == 0xEFBB || bytes == 0xFEFF || bytes == 0xFFFE;
    }
}
