package org.metasched.adapter.soap;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.xml.namespace.NamespaceContext;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.util.StreamReaderDelegate;
import org.apache.cxf.interceptor.StaxInInterceptor;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.jspecify.annotations.Nullable;

/**
 * Binds prefixes that a message uses in qualified names without declaring them, as some clients do: the usual prefixes to their usual
 * namespaces, any other to {@link #UNBOUND}. The declarations of Envelope and Body are repeated at each element directly in the Body,
 * since it is read apart from them and its texts may use their prefixes; those of Envelope and Header at each header.
 */
public final class UsualPrefixes extends AbstractPhaseInterceptor<Message> {

    /** The namespace of prefixes that have none. */
    public static final String UNBOUND = "urn:metasched:unbound-prefix";

    private final Map<String, String> namespaces;

    /** @param prefixes usual prefixes by namespace */
    UsualPrefixes(Map<String, String> prefixes) {
        super(Phase.POST_STREAM);
        addAfter(StaxInInterceptor.class.getName());
        this.namespaces =
                prefixes.entrySet().stream().collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey));
    }

    @Override
    public void handleMessage(Message message) {
        XMLStreamReader reader = message.getContent(XMLStreamReader.class);
        if (reader != null) {
            message.setContent(XMLStreamReader.class, new Lenient(reader));
        }
    }

    private final class Lenient extends StreamReaderDelegate {

        /** Depth of the elements directly in the Body or in the Header. */
        private static final int CONTENT = 3;

        /** Namespaces in scope by prefix, for the open element of each depth. */
        private final Map<Integer, Map<String, String>> inScope = new HashMap<>();

        private List<Map.Entry<String, String>> declarations = List.of();
        private int depth;

        Lenient(XMLStreamReader reader) {
            super(reader);
        }

        @Override
        public int next() throws XMLStreamException {
            return track(super.next());
        }

        @Override
        public int nextTag() throws XMLStreamException {
            return track(super.nextTag());
        }

        @Override
        public String getElementText() throws XMLStreamException {
            depth--;
            return super.getElementText();
        }

        private int track(int event) {
            depth += event == START_ELEMENT ? 1 : event == END_ELEMENT ? -1 : 0;
            if (event == START_ELEMENT && depth <= CONTENT) {
                var here = new LinkedHashMap<>(inScope.getOrDefault(depth - 1, Map.of()));
                for (int i = 0; i < super.getNamespaceCount(); i++) {
                    here.put(
                            Objects.requireNonNullElse(super.getNamespacePrefix(i), ""),
                            Objects.requireNonNullElse(super.getNamespaceURI(i), ""));
                }
                inScope.put(depth, here);
                declarations = List.copyOf(here.entrySet());
            }
            return event;
        }

        /** Whether the reader is at the start or end of an element directly in the Body or in the Header. */
        private boolean isContent() {
            return depth == (getEventType() == START_ELEMENT ? CONTENT : CONTENT - 1) && getEventType() <= END_ELEMENT;
        }

        @Override
        public int getNamespaceCount() {
            return isContent() ? declarations.size() : super.getNamespaceCount();
        }

        @Override
        public @Nullable String getNamespacePrefix(int index) {
            String prefix = isContent() ? declarations.get(index).getKey() : super.getNamespacePrefix(index);
            return prefix == null || prefix.isEmpty() ? null : prefix;
        }

        @Override
        public String getNamespaceURI(int index) {
            return isContent() ? declarations.get(index).getValue() : super.getNamespaceURI(index);
        }

        @Override
        public NamespaceContext getNamespaceContext() {
            var declared = super.getNamespaceContext();
            return new NamespaceContext() {
                @Override
                public String getNamespaceURI(String prefix) {
                    String namespace = declared.getNamespaceURI(prefix);
                    return (namespace == null || namespace.isEmpty()) && !prefix.isEmpty()
                            ? namespaces.getOrDefault(prefix, UNBOUND)
                            : Objects.requireNonNullElse(namespace, "");
                }

                @Override
                public @Nullable String getPrefix(String namespace) {
                    return declared.getPrefix(namespace);
                }

                @Override
                public Iterator<String> getPrefixes(String namespace) {
                    return declared.getPrefixes(namespace);
                }
            };
        }
    }
}
