package org.metasched.adapter.soap;

import java.nio.charset.StandardCharsets;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;

/** Writes answers in UTF-8, whatever the encoding of the request. */
final class AnswersInUtf8 extends AbstractPhaseInterceptor<Message> {

    AnswersInUtf8() {
        super(Phase.SETUP);
    }

    @Override
    public void handleMessage(Message message) {
        message.put(Message.ENCODING, StandardCharsets.UTF_8.name());
    }
}
