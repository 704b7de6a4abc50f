package org.metasched.adapter.soap;

import java.util.HashSet;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLResolver;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.util.StreamReaderDelegate;
import org.apache.cxf.interceptor.StaxInInterceptor;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.staxutils.StaxUtils;
import org.jspecify.annotations.Nullable;

/**
 * Refuses document types and entity references, which other readers of the message would skip, and bounds the different names and namespaces of a
 * message while it is read, before its sender is known. The parser finds a name in lists of those with the same hash, so a stranger who chooses
 * names could make each lookup as long as all names before it.
 */
final class BoundedNames extends AbstractPhaseInterceptor<Message> {

    private static final int MOST = 1_000;
    private static final int BUCKETS = 1_024;
    /** The most names in one bucket: of a thousand names not chosen to collide, at most six share one. */
    private static final int MOST_IN_BUCKET = 16;

    BoundedNames() {
        super(Phase.POST_STREAM);
        addAfter(StaxInInterceptor.class.getName());
        addBefore(ProvenByMessage.class.getName());
        addBefore(UsualPrefixes.class.getName());
    }

    /** Makes readers that refuse entities, in attributes too: no document declares any. */
    static XMLInputFactory readers() {
        var factory = StaxUtils.createXMLInputFactory(true);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, true);
        factory.setProperty("com.ctc.wstx.undeclaredEntityResolver", (XMLResolver) (publicId, systemId, base, name) -> {
            throw new XMLStreamException(
                    "it refers to the entity (" + XmlText.of(name) + "); XML knows only amp, lt, gt, quot and apos.");
        });
        return factory;
    }

    @Override
    public void handleMessage(Message message) {
        var reader = message.getContent(XMLStreamReader.class);
        if (reader != null) {
            message.setContent(XMLStreamReader.class, new Counting(reader));
        }
    }

    private static final class Counting extends StreamReaderDelegate {
        private final Set<String> seen = new HashSet<>();
        private final int[] inBucket = new int[BUCKETS];

        Counting(XMLStreamReader reader) {
            super(reader);
        }

        @Override
        public int next() throws XMLStreamException {
            int event = super.next();
            if (event == START_ELEMENT) {
                countElement();
            } else if (event == PROCESSING_INSTRUCTION) {
                throw new XMLStreamException("A SOAP message has no processing instructions.", getLocation());
            } else if (event == DTD) {
                throw new XMLStreamException("it declares a document type, which no SOAP message may.");
            }
            return event;
        }

        @Override
        public int nextTag() throws XMLStreamException {
            int event = next();
            while (event == SPACE || event == COMMENT || event == CHARACTERS && isWhiteSpace()) {
                event = next();
            }
            if (event != START_ELEMENT && event != END_ELEMENT) {
                throw new XMLStreamException("A tag is expected.", getLocation());
            }
            return event;
        }

        private void countElement() throws XMLStreamException {
            count(getLocalName());
            count(getPrefix());
            for (int i = 0; i < getAttributeCount(); i++) {
                count(getAttributeLocalName(i));
                count(getAttributePrefix(i));
            }
            for (int i = 0; i < getNamespaceCount(); i++) {
                count(getNamespacePrefix(i));
                count(getNamespaceURI(i));
            }
        }

        private void count(@Nullable String name) throws XMLStreamException {
            if (name != null
                    && seen.add(name)
                    && (++inBucket[name.hashCode() & BUCKETS - 1] > MOST_IN_BUCKET || seen.size() > MOST)) {
                throw new XMLStreamException(
                        "The message has too many different names: more than " + MOST + ", or " + MOST_IN_BUCKET
                                + " of one hash.",
                        getLocation());
            }
        }
    }
}
