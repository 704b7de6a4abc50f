package org.metasched.classad.gang;

import java.util.Optional;

/**
 * One depth-first search for a gang: select an open port, bind a value of its domain, propagate to the other domains,
 * continue, and backtrack where a domain becomes empty. Variables are selected fail-first (Haralick and Elliott 1980)
 * or in the order of the text; fail-first search also skips values interchangeable with one that failed.
 * {@link PortDomains} computes the domains. Used once, not thread-safe.
 */
final class DomainSearch {

    /** The most values that one search binds. */
    private static final long MOST_BINDINGS = 5_000_000;

    private static final Gangmatcher.Marshalled EXHAUSTED =
            new Gangmatcher.Marshalled(Optional.empty(), SearchEffort.NONE, true);

    private final PortDomains domains;
    private long bindings;
    private long backtracks;
    private boolean cutShort;

    private DomainSearch(PortDomains domains) {
        this.domains = domains;
    }

    /** Searches domains from indexes if these decide, else domains from evaluation. */
    static Gangmatcher.Marshalled marshal(PortedAd root, GangPool pool, boolean failFirst) {
        RootClass rootClass = pool.classes.of(root);
        SearchEffort effort = SearchEffort.NONE;
        if (!rootClass.needsEvaluation) {
            if (failFirst && rootClass.isExhausted()) {
                return EXHAUSTED;
            }
            Gangmatcher.Marshalled indexed = run(new IndexedDomains(root, rootClass, pool, failFirst), pool);
            if (!rootClass.needsEvaluation) {
                return indexed;
            }
            effort = indexed.effort();
        }
        Gangmatcher.Marshalled evaluated = run(new EvaluatedDomains(root, pool, failFirst), pool);
        return new Gangmatcher.Marshalled(evaluated.gang(), evaluated.effort().plus(effort), evaluated.exhaustive());
    }

    private static Gangmatcher.Marshalled run(PortDomains domains, GangPool pool) {
        long before = pool.index.evaluations();
        var search = new DomainSearch(domains);
        search.extend();
        long byIndex = pool.index.evaluations() - before;
        boolean exhaustive = !search.cutShort && !domains.stopped;
        return new Gangmatcher.Marshalled(
                domains.finish(exhaustive),
                new SearchEffort(domains.probes, domains.evaluations + byIndex, search.backtracks),
                exhaustive);
    }

    /** Extends the partial binding; returns whether the search is over. */
    private boolean extend() {
        if (domains.isComplete()) {
            return domains.accept();
        }
        PortDomains.Values values = domains.select();
        if (values == null) {
            return domains.stopped;
        }
        for (int value = values.next(); value >= 0; value = values.next()) {
            if (bind(values, value)) {
                return true;
            }
        }
        if (!values.close()) {
            return false;
        }
        boolean over = extend();
        values.reopen();
        return over;
    }

    private boolean bind(PortDomains.Values values, int value) {
        if (++bindings > MOST_BINDINGS) {
            cutShort = true;
            return true;
        }
        long before = domains.allDifferentPrunings;
        PortDomains.Outcome outcome = values.bind(value);
        if (outcome == PortDomains.Outcome.STOP) {
            return true;
        }
        boolean consistent = outcome == PortDomains.Outcome.CONSISTENT;
        if (consistent) {
            boolean over = extend();
            values.unbind();
            if (over) {
                return true;
            }
        }
        backtracks++;
        values.failed(value, consistent, domains.allDifferentPrunings != before);
        return false;
    }
}
