package org.metasched.adapter.soap;

import java.util.Map;

/** Limits of the size of a message. */
final class MessageLimits {

    /** The longest body: 4 MiB, enough for the largest text that a site publishes. */
    static final long BYTES = 4L << 20;

    /** The limits as CXF's StAX properties. */
    static final Map<String, Object> PROPERTIES = Map.of(
            "org.apache.cxf.stax.maxElementDepth", 64,
            "org.apache.cxf.stax.maxChildElements", 20_000,
            "org.apache.cxf.stax.maxElementCount", 200_000L,
            "org.apache.cxf.stax.maxAttributeCount", 64,
            "org.apache.cxf.stax.maxAttributeSize", 65_536,
            "org.apache.cxf.stax.maxTextLength", (int) BYTES,
            "org.apache.cxf.stax.maxXMLCharacters", BYTES);

    private MessageLimits() {}
}
