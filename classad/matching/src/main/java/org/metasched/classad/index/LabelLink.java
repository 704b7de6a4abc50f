package org.metasched.classad.index;

import org.jspecify.annotations.Nullable;

/** The binding of a label while a match is sought: open, or bound to the neighbour's evaluation site. Not thread-safe. */
public final class LabelLink {

    private final String label;
    private @Nullable EvaluationSite peer;

    /** An open link. */
    public LabelLink(String label) {
        this.label = label;
    }

    /** The label, for messages. */
    public String label() {
        return label;
    }

    /** The neighbour's evaluation site; null while the link is open. */
    public @Nullable EvaluationSite peer() {
        return peer;
    }

    /** Binds the neighbour, in place of one that was bound before. */
    public void bind(EvaluationSite site) {
        peer = site;
    }

    /** Opens the link. */
    public void release() {
        peer = null;
    }
}
