package org.metasched.classad.index;

import org.jspecify.annotations.Nullable;

/** The binding of a label while a match is sought: open, or bound to the place of the neighbour. Not thread-safe. */
public final class Bond {

    private final String label;
    private @Nullable Place peer;

    /** An open bond; the label is for messages. */
    public Bond(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    public boolean isOpen() {
        return peer == null;
    }

    public @Nullable Place peer() {
        return peer;
    }

    public void bind(Place place) {
        peer = place;
    }

    public void release() {
        peer = null;
    }

    @Override
    public String toString() {
        return peer == null ? label + " (open)" : label;
    }
}
