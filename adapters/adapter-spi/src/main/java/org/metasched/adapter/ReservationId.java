package org.metasched.adapter;

/** The local scheduler's own name for a reservation, opaque to all others: 1 to 256 printable characters. */
public record ReservationId(String value) {

    public ReservationId {
        if (value.isEmpty() || value.length() > 256 || value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "The reservation id (" + DisplayText.of(value) + ") must be 1 to 256 printable characters.");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
