package org.metasched.adapter.soap;

import java.util.function.Consumer;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.util.StreamReaderDelegate;
import org.apache.cxf.helpers.DOMUtils;
import org.apache.cxf.staxutils.StaxUtils;
import org.w3c.dom.Document;

/** Reader of a message into a DOM tree, which has the part before the Body approved before it reads the Body. */
final class MessageTree extends StreamReaderDelegate {

    /** The most characters before the Body. */
    private static final int LONGEST_HEAD = 128 << 10;

    private final Document document;
    private final Consumer<Document> gate;
    private int depth;
    private boolean passed;

    private MessageTree(XMLStreamReader reader, Document document, Consumer<Document> gate) {
        super(reader);
        this.document = document;
        this.gate = gate;
        this.depth = reader.getEventType() == START_ELEMENT ? 1 : 0;
    }

    /**
     * Reads a message.
     *
     * @param reader reader of the message, read to its end unless the gate throws
     * @param gate check of the part before the Body, which throws if it is not approved
     */
    static Document read(XMLStreamReader reader, Consumer<Document> gate) throws XMLStreamException {
        var tree = new MessageTree(reader, DOMUtils.createDocument(), gate);
        StaxUtils.readDocElements(tree.document, tree.document, tree, true, false);
        tree.passGate();
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
            gate.accept(document);
        }
    }
}
