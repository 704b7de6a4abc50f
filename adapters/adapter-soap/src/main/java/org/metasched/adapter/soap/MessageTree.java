package org.metasched.adapter.soap;

import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.util.StreamReaderDelegate;
import org.apache.cxf.helpers.DOMUtils;
import org.apache.cxf.staxutils.StaxUtils;
import org.metasched.trust.UntrustedException;
import org.w3c.dom.Document;

/** Reads a message into a tree, and stops before its Body unless the part before it is approved. */
final class MessageTree extends StreamReaderDelegate {

    /** Characters before the Body. */
    private static final int LONGEST_HEAD = 128 << 10;

    /** Approves the Envelope and its Header. */
    interface Gate {
        void pass(Document head) throws UntrustedException;
    }

    /** Carries a refusal through the library that builds the tree. */
    private static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final UntrustedException why;

        Refusal(UntrustedException why) {
            super(why);
            this.why = why;
        }
    }

    private final Document document;
    private final Gate gate;
    private int depth;
    private boolean passed;

    private MessageTree(XMLStreamReader reader, Document document, Gate gate) {
        super(reader);
        this.document = document;
        this.gate = gate;
        this.depth = reader.getEventType() == START_ELEMENT ? 1 : 0;
    }

    /** @param reader is read to its end, unless the gate refuses what stands before the Body */
    static Document read(XMLStreamReader reader, Gate gate) throws XMLStreamException, UntrustedException {
        var tree = new MessageTree(reader, DOMUtils.createDocument(), gate);
        try {
            StaxUtils.readDocElements(tree.document, tree.document, tree, true, false);
            tree.passGate();
        } catch (Refusal e) {
            throw e.why;
        }
        MessageCheck.readToItsEnd(reader);
        return tree.document;
    }

    @Override
    public int next() throws XMLStreamException {
        int event = super.next();
        if (event == START_ELEMENT && ++depth == 2 && !"Header".equals(getLocalName())) {
            passGate();
        } else if (event == END_ELEMENT) {
            depth--;
        }
        if (!passed && getLocation().getCharacterOffset() > LONGEST_HEAD) {
            throw new XMLStreamException(
                    "it has more than " + LONGEST_HEAD + " characters before its Body.", getLocation());
        }
        return event;
    }

    private void passGate() {
        if (!passed) {
            passed = true;
            try {
                gate.pass(document);
            } catch (UntrustedException e) {
                throw new Refusal(e);
            }
        }
    }
}
