package org.metasched.adapter.soap;

import java.util.Map;

/** How big a message may be. */
final class MessageLimits {

    /** Of a whole body: 4 MiB, which takes the largest text that a site publishes. */
    static final long BYTES = 4L << 20;

    /** In the words of CXF's reader of streams. */
    static final Map<String, Object> PROPERTIES = Map.of(
            "org.apache.cxf.stax.maxElementDepth",
            64,
            "org.apache.cxf.stax.maxChildElements",
            20_000,
            "org.apache.cxf.stax.maxElementCount",
            200_000L,
            "org.apache.cxf.stax.maxAttributeCount",
            64,
            "org.apache.cxf.stax.maxAttributeSize",
            64 * 1024,
            "org.apache.cxf.stax.maxTextLength",
            (int) BYTES,
            "org.apache.cxf.stax.maxXMLCharacters",
            BYTES);

    private MessageLimits() {}
}
