package org.metasched.adapter.soap;

import java.util.HashMap;
import java.util.Map;

/**
 * How big a message may be.
 *
 * @param bytes of a whole body
 * @param depth of nested elements
 * @param children of one element
 */
public record MessageLimits(long bytes, int depth, int children) {

    /** 4 MiB, which takes the largest text that a site publishes. */
    public static final MessageLimits USUAL = new MessageLimits(4L << 20, 64, 20_000);

    public MessageLimits {
        if (bytes < 1024 || depth < 16 || children < 16) {
            throw new IllegalArgumentException("The limits (" + bytes + " bytes, depth " + depth + ", " + children
                    + " children) must be at least 1024, 16 and 16.");
        }
    }

    /** In the words of CXF's reader of streams. */
    public Map<String, Object> properties() {
        Map<String, Object> properties = new HashMap<>();
        properties.put("org.apache.cxf.stax.maxElementDepth", depth);
        properties.put("org.apache.cxf.stax.maxChildElements", children);
        properties.put("org.apache.cxf.stax.maxAttributeCount", 64);
        properties.put("org.apache.cxf.stax.maxAttributeSize", 64 * 1024);
        properties.put("org.apache.cxf.stax.maxTextLength", (int) Math.min(bytes, Integer.MAX_VALUE));
        properties.put("org.apache.cxf.stax.maxXMLCharacters", bytes);
        return properties;
    }
}
