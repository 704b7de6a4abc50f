package org.metasched.store;

import java.lang.ref.SoftReference;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.metasched.agreement.Agreement;

/** Cache of agreements, as long as there is memory for them. Their versions tell whether they are still current. Thread-safe. */
final class KnownAgreements {

    private static final int MOST = 20_000;

    private final Map<String, SoftReference<Agreement>> byId = new ConcurrentHashMap<>();

    Optional<Agreement> find(String id) {
        return Optional.ofNullable(byId.get(id)).map(SoftReference::get);
    }

    void put(Agreement agreement) {
        if (byId.size() >= MOST) {
            byId.clear();
        }
        byId.put(agreement.id().value(), new SoftReference<>(agreement));
    }
}
