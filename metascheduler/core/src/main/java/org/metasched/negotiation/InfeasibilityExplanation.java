package org.metasched.negotiation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.metasched.negotiation.ChoiceRequest.OpenPart;

/**
 * Explanation why no start was found: for each part, the number of sites that may serve it, and which of them are ever free for it.
 *
 * @param known the answers of the sites. Equal parts share a question, so all are looked up as part 0
 * @param from the first start that was searched, in seconds since the epoch
 * @param latest the last start that was searched, in seconds since the epoch
 */
record InfeasibilityExplanation(KnownPlaces known, long from, long latest) {

    private static final int MOST_NAMES = 8;

    String words() {
        var text = new StringBuilder("No start from " + Instant.ofEpochSecond(from) + " to "
                + Instant.ofEpochSecond(latest) + " suits all parts.");
        for (var branch : known.request.branches()) {
            branch.parts().forEach(part -> text.append('\n').append(words(part)));
        }
        if (known.request.branches().stream()
                .allMatch(branch -> branch.parts().stream().allMatch(this::isEverFree))) {
            text.append("\nEach part, and each piece, has a start of its own, but no start suits them together.");
        }
        return text.toString();
    }

    private boolean isEverFree(OpenPart part) {
        return mostFree(part) >= part.request().need().amount();
    }

    /** Greatest amount that the places ever have free in as many pieces as allowed, of the sizes that they were asked about. */
    private long mostFree(OpenPart part) {
        return part.places().stream()
                .map(place -> part.sizes().stream()
                        .filter(size -> known.of(0, part, place, size).starts().size() > 0)
                        .reduce(0, Math::max))
                .sorted(Comparator.reverseOrder())
                .limit(part.split().map(SplitRequest::mostPieces).orElse(1))
                .mapToLong(Integer::longValue)
                .sum();
    }

    private String words(OpenPart part) {
        var free = new ArrayList<String>();
        var full = new ArrayList<String>();
        var silent = new ArrayList<String>();
        for (var place : part.places()) {
            // If even the smallest piece never fits, no piece does.
            var smallest = known.of(0, part, place, part.sizes().get(0));
            String site = place.site().value();
            if (smallest.problem().isPresent()) {
                silent.add(site + " (" + firstLine(smallest.problem().get()) + ")");
            } else if (smallest.starts().size() == 0) {
                full.add(site);
            } else {
                free.add(site + " from "
                        + Instant.ofEpochSecond(Math.max(from, smallest.starts().first(0))));
            }
        }
        return "Part " + part.name() + " (" + part.request().need().words() + " for "
                + part.request().duration()
                + "): " + part.places().size() + (part.places().size() == 1 ? " site" : " sites") + " may serve it"
                + listed("; free at ", free) + listed("; never free for it: ", full)
                + listed("; no answer from ", silent)
                + (part.split().isEmpty() || isEverFree(part)
                        ? ""
                        : "; the largest pieces that are ever free, of those asked for, make " + mostFree(part) + " of "
                                + part.request().need().amount())
                + ".";
    }

    private static String firstLine(Exception problem) {
        String line = String.valueOf(problem.getMessage()).lines().findFirst().orElse("");
        return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
    }

    private static String listed(String words, List<String> names) {
        if (names.isEmpty()) {
            return "";
        }
        var some = names.subList(0, Math.min(MOST_NAMES, names.size()));
        String more = names.size() > MOST_NAMES ? " and " + (names.size() - MOST_NAMES) + " more" : "";
        return words + String.join(", ", some) + more;
    }
}
