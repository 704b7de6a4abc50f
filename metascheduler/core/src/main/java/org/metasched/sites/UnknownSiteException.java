package org.metasched.sites;

import java.util.Collection;
import org.metasched.adapter.SiteId;

/** A caller named a site that is not configured. */
public final class UnknownSiteException extends IllegalArgumentException {

    /** @param known the sites that are configured, for the message */
    public UnknownSiteException(SiteId site, Collection<SiteId> known) {
        super("The site (" + site + ") is not configured; known sites are " + known + ".");
    }
}
