package org.metasched.console;

import org.metasched.agreement.making.OfferService;

/** What the console shows, and what it acts on. */
public record ConsoleSources(
        OfferService agreements,
        SiteQuery sites,
        Advertised advertised,
        Matches matches,
        Operations operations,
        OfferApi offers) {}
