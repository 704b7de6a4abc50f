package org.metasched.adapter.soap;

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

/** Refuses document types and entity references, which other readers of the message would skip. */
final class NoDocumentType extends AbstractPhaseInterceptor<Message> {

    NoDocumentType() {
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
            throw new XMLStreamException("it refers to the entity (" + XmlText.of(name)
                    + "), which is not one of XML; only amp, lt, gt, quot and apos are.");
        });
        return factory;
    }

    @Override
    public void handleMessage(Message message) {
        XMLStreamReader reader = message.getContent(XMLStreamReader.class);
        if (reader != null) {
            message.setContent(XMLStreamReader.class, new Strict(reader));
        }
    }

    private static final class Strict extends StreamReaderDelegate {

        Strict(XMLStreamReader reader) {
            super(reader);
        }

        @Override
        public int next() throws XMLStreamException {
            int event = super.next();
            if (event == DTD) {
                throw new XMLStreamException("it declares a document type, which no SOAP message may.");
            }
            return event;
        }
    }
}
