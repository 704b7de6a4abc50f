package org.metasched.classad.cycle;

import java.util.Collection;
import java.util.List;

/** A store that keeps nothing. */
public final class NothingKept implements AccountantStore {

    @Override
    public List<SubmitterStanding> load() {
        return List.of();
    }

    @Override
    public void save(Collection<SubmitterStanding> standings) {
        // Nothing is kept.
    }
}
