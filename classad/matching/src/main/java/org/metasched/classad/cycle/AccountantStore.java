package org.metasched.classad.cycle;

import java.util.Collection;
import java.util.List;

/** Storage of standings between runs. */
public interface AccountantStore {

    /** The standings that were saved last; empty if none were. */
    List<SubmitterStanding> load();

    /** Replaces all that was stored, at once or not at all. */
    void save(Collection<SubmitterStanding> standings);
}
