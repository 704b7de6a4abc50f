package org.metasched.adapter;

import java.util.LinkedHashMap;
import java.util.Map;

/** Maps that drop an entry when they would exceed a size. Not thread-safe; {@link #recentlyUsed} ones not even for reading. */
public final class BoundedMaps {

    private BoundedMaps() {}

    /** A map that drops the entry that was read or put longest ago; a walk through all entries does not count. */
    public static <K, V> Map<K, V> recentlyUsed(int most) {
        return bounded(most, true);
    }

    /** A map that drops the entry whose key was put first. */
    public static <K, V> Map<K, V> newest(int most) {
        return bounded(most, false);
    }

    private static <K, V> Map<K, V> bounded(int most, boolean byUse) {
        return new LinkedHashMap<>(16, 0.75f, byUse) {

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        };
    }
}
