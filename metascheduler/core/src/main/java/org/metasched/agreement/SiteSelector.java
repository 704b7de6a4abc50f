package org.metasched.agreement;

import java.util.List;

/** Chooses sites for parts that say what but not where. Knows nothing of slots. Thread-safe. */
public interface SiteSelector {

    /**
     * Ways to place every part that has no site yet, the best first.
     *
     * @return at most {@code limit} requests in which every part has a site; empty when some part has no candidate
     */
    List<AgreementRequest> place(AgreementRequest request, int limit);

    /** For a service without a matchmaker: places nothing. */
    SiteSelector NONE = (request, limit) -> List.of();
}
