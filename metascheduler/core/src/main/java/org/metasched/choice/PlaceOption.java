package org.metasched.choice;

/**
 * One place that can serve a part, or a piece of it, at some times.
 *
 * @param place what is taken: two picks of one plan never have the same place, unless it is empty
 * @param amount of the part's resource that it would give, or less; counts only where a part is split
 * @param starts when
 * @param rank the higher the better, finite
 * @param cost the lower the better, from 0; of the whole part, as the rank: a piece counts by its share
 * @param tag the caller's own name for it
 */
public record PlaceOption(String place, int amount, FeasibleStarts starts, double rank, double cost, Object tag) {

    public PlaceOption {
        if (!Double.isFinite(rank)) {
            throw new IllegalArgumentException("The rank (" + rank + ") of place " + place + " must be finite.");
        }
        if (!(cost >= 0) || !Double.isFinite(cost)) {
            throw new IllegalArgumentException(
                    "The cost (" + cost + ") of place " + place + " must be a number from 0.");
        }
    }

    public PlaceOption(String place, FeasibleStarts starts, double rank, double cost) {
        this(place, 1, starts, rank, cost, place);
    }

    /** The same place for another amount. */
    PlaceOption giving(int other) {
        return other == amount ? this : new PlaceOption(place, other, starts, rank, cost, tag);
    }
}
