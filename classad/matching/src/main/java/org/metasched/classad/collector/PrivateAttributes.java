package org.metasched.classad.collector;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;

/** The attributes that no answer to a query has: tickets and claim ids, by the names that HTCondor keeps private. */
public final class PrivateAttributes {

    /** The ticket that an advertiser hands to its match (1998 paper, section 4). */
    public static final String TICKET = "AuthorizationTicket";

    private static final String PREFIX = "_condor_priv";
    private static final Set<String> NAMES = Set.of(
            TICKET.toLowerCase(Locale.ROOT),
            "capability",
            "claimid",
            "claimids",
            "claimidlist",
            "childclaimids",
            "pairedclaimid",
            "transferkey");

    private PrivateAttributes() {}

    /** Whether an attribute of this name, ignoring case, is private. */
    static boolean isPrivate(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.startsWith(PREFIX) || NAMES.contains(lower);
    }

    /** The ad without its private attributes; the ad itself if it has none. */
    static ClassAd publicPart(ClassAd ad) {
        return part(ad, false);
    }

    static ClassAd privatePart(ClassAd ad) {
        return part(ad, true);
    }

    private static ClassAd part(ClassAd ad, boolean wanted) {
        List<String> names = ad.names();
        List<String> kept =
                names.stream().filter(name -> isPrivate(name) == wanted).toList();
        if (kept.size() == names.size()) {
            return ad;
        }
        var expressions = new ArrayList<Expr>(kept.size());
        kept.forEach(name -> expressions.add(ad.lookup(name).orElseThrow()));
        return ClassAd.of(kept, expressions);
    }
}
