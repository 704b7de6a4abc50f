package org.metasched.choice;

/**
 * One place that can serve a part, or a piece of it, at some times.
 *
 * @param place name of the place. If it is not empty, picks of one plan that may run at the same time never have the same name
 * @param amount largest amount of the part's resource that the place would give, in the part's unit; read only if the part is split
 * @param starts feasible starts, in whole seconds since the epoch
 * @param rank a finite number; a higher one is preferred
 * @param cost a finite number from 0; a lower one is preferred. Rank and cost are those of the whole part; a piece counts by its share
 * @param tag an object of the caller, which the plan gives back
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

    /** The same place for another amount. */
    PlaceOption giving(int other) {
        return other == amount ? this : new PlaceOption(place, other, starts, rank, cost, tag);
    }
}
