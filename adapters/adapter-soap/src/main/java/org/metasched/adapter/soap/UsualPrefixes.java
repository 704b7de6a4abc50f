package org.metasched.adapter.soap;

import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.xml.namespace.NamespaceContext;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.util.StreamReaderDelegate;
import org.apache.cxf.interceptor.StaxInInterceptor;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.jspecify.annotations.Nullable;

/**
 * Gives a meaning to prefixes in qualified names that a message does not declare, as clients send them that take such a name for plain text:
 * the usual ones mean what they usually mean, any other is in {@link #UNBOUND}.
 */
public final class UsualPrefixes extends AbstractPhaseInterceptor<Message> {

    /** The namespace of prefixes that have none. */
    public static final String UNBOUND = "urn:metasched:unbound-prefix";

    private final Map<String, String> namespaces;

    /** @param prefixes by namespace */
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

        Lenient(XMLStreamReader reader) {
            super(reader);
        }

        @Override
        public NamespaceContext getNamespaceContext() {
            var declared = super.getNamespaceContext();
            return new NamespaceContext() {
                @Override
                public String getNamespaceURI(String prefix) {
                    String found = declared.getNamespaceURI(prefix);
                    return (found == null || found.isEmpty()) && !prefix.isEmpty()
                            ? namespaces.getOrDefault(prefix, UNBOUND)
                            : Objects.requireNonNullElse(found, "");
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
