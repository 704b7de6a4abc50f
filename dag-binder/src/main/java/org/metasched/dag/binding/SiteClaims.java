package org.metasched.dag.binding;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.metasched.classad.ClassAd;

/**
 * Takes and gives back the matches that a site allows ({@code CurMatches < MaxMatches}). Owned here, where they are needed; a
 * ledger of this machine and a server's collector answer it. Thread-safe, and safe between processes.
 */
public interface SiteClaims {

    /** Whose count it is, as a note of a claim says it: {@code file:///...} or the server's URL. */
    String where();

    /** The ads with the numbers of matches that are held now, all at one moment. */
    List<ClassAd> counted(List<ClassAd> siteAds) throws IOException;

    /**
     * Takes a match of the site, or nothing if it is full. What is not {@link #settle kept} soon lapses.
     *
     * @param nodes of the DAG: at some sites each of them counts
     */
    Optional<String> take(ClassAd siteAd, String holder, int nodes) throws IOException;

    /** The claimant lives: the lease of a match that is not kept yet begins anew. Whether it was held. */
    boolean renew(String match) throws IOException;

    /** Keeps a match for good or gives it back; whether it was held. */
    boolean settle(String match, boolean keep) throws IOException;
}
