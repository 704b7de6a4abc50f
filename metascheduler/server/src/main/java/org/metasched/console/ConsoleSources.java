package org.metasched.console;

import java.util.function.Supplier;
import org.metasched.agreement.making.OfferService;
import org.metasched.overview.AdvertisedAds;
import org.metasched.overview.MatchService;
import org.metasched.overview.SiteQuery;

/** Services that the console shows and acts on. */
public record ConsoleSources(
        OfferService agreements,
        SiteQuery sites,
        AdvertisedAds advertised,
        MatchService matches,
        Supplier<OperationsModel> operations,
        ConsoleOffers offers) {}
