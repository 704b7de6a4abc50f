package org.metasched.slots;

/**
 * The amounts for which a {@link ProfileSpan} remembers its longest runs: 1, 2, 3, 4, 6, 8, 12, 16, 24 … A run that is too short
 * for the level below an amount is too short for the amount.
 */
final class RunLevels {

    private RunLevels() {}

    /** The index of the greatest level that is at most the amount (at least 1). At most 60. */
    static int at(int amount) {
        int log = 31 - Integer.numberOfLeadingZeros(amount);
        if (log == 0) {
            return 0;
        }
        return amount >>> (log - 1) == 3 ? 2 * log : 2 * log - 1;
    }

    /** The amount at an index. */
    static int amount(int index) {
        if (index == 0) {
            return 1;
        }
        int log = (index + 1) / 2;
        return index % 2 == 1 ? 1 << log : 3 << (log - 1);
    }
}
