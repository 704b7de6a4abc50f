package org.metasched.cli.agreement;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.client.OfferWriter.Part;
import org.metasched.negotiation.CoAllocationRequest;
import org.metasched.negotiation.SplitRequest;

/**
 * Reads a need without a site: {@code cpu:nodes=16,Rank=Memory,Requirements=Arch == "X86_64"},
 * {@code licence:feature=matlab,count=2} or {@code network:bandwidth=1000}.
 */
final class NeedPart {

    private static final String REQUIREMENTS = "requirements=";
    private static final String RANK = "rank=";
    private static final Set<String> KINDS = Set.of("cpu", "licence", "license", "network");

    private NeedPart() {}

    /**
     * The parts for which a need stands: one for each site that it asks for.
     *
     * @throws ExitCodeException if the text has another form
     */
    static List<Part> read(String text) {
        int colon = text.indexOf(':');
        String kind = colon < 1 ? "" : text.substring(0, colon).strip().toLowerCase(Locale.ROOT);
        if (!KINDS.contains(kind)) {
            throw SitePart.bad(text, "must begin with cpu:, licence: or network:");
        }
        String rest = text.substring(colon + 1);
        // An expression may have commas, so the requirements extend to the end, and the rank to the requirements.
        int begin = rest.toLowerCase(Locale.ROOT).indexOf(REQUIREMENTS);
        Optional<String> constraint = begin < 0
                ? Optional.empty()
                : Optional.of(checked(text, rest.substring(begin + REQUIREMENTS.length())));
        String head = upTo(rest, begin);
        int ranked = head.toLowerCase(Locale.ROOT).indexOf(RANK);
        Optional<String> rank =
                ranked < 0 ? Optional.empty() : Optional.of(checked(text, head.substring(ranked + RANK.length())));
        String pairs = upTo(head, ranked);
        try {
            var values = SitePart.values(text, pairs);
            if (kind.startsWith("licen")) {
                renameCount(text, values);
            }
            int places = values.containsKey("sites") ? SitePart.number(text, values, "sites") : 1;
            if (places < 1 || places > CoAllocationRequest.MOST_PARTS) {
                throw SitePart.bad(text, "must be for 1 to " + CoAllocationRequest.MOST_PARTS + " sites");
            }
            values.remove("sites");
            var split = split(text, values);
            var need = SitePart.need(text, values);
            var part = new Part(Optional.empty(), Optional.of(constraint.orElse("true")), rank, need, split);
            return Collections.nCopies(places, part);
        } catch (IllegalArgumentException e) {
            throw SitePart.bad(text, "cannot be asked for: " + e.getMessage());
        }
    }

    private static String upTo(String pairs, int end) {
        return end < 0 ? pairs : pairs.substring(0, end).replaceAll(",\\s*$", "");
    }

    /** The split of a total; moves the value of {@code total} to {@code nodes}. */
    private static Optional<SplitRequest> split(String text, Map<String, String> values) {
        if (!values.containsKey("total")) {
            return Optional.empty();
        }
        int least = option(text, values, "min-part", 1);
        int most = option(text, values, "max-parts", SplitRequest.USUAL_PIECES);
        int multiple = option(text, values, "multiple", 1);
        var split = new SplitRequest(least, most, multiple, option(text, values, "overhead", 0));
        split.check(SitePart.number(text, values, "total"));
        if (values.put("nodes", String.valueOf(values.remove("total"))) != null) {
            throw SitePart.bad(text, "says both nodes, of one site, and total, of all");
        }
        return Optional.of(split);
    }

    private static int option(String text, Map<String, String> values, String key, int usual) {
        int value = values.containsKey(key) ? SitePart.number(text, values, key) : usual;
        values.remove(key);
        return value;
    }

    /** Moves the {@code count} of a licence to {@code licences}, 1 by default. */
    private static void renameCount(String text, Map<String, String> values) {
        String count = values.remove("count");
        if (count != null && values.put("licences", count) != null) {
            throw SitePart.bad(text, "says both count and licences");
        }
        values.putIfAbsent("licences", "1");
    }

    private static String checked(String text, String expression) {
        try {
            Expr.parse(expression);
            return expression;
        } catch (ClassAdSyntaxException e) {
            throw SitePart.bad(text, "has Requirements or a Rank that are no ClassAd expression: " + e.getMessage());
        }
    }
}
