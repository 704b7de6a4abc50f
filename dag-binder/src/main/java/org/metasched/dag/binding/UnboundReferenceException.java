package org.metasched.dag.binding;

import java.util.List;
import java.util.stream.Collectors;

/** A DAG refers to something that neither the site nor a default provides. Nothing has been written. */
public final class UnboundReferenceException extends Exception {

    private static final long serialVersionUID = 1L;

    /** The number of references that are kept; further ones are left out. */
    static final int MOST_KEPT = 1000;

    private static final int SHOWN = 20;

    private final String site;
    private final transient List<UnboundReference> references;

    /** @param site name of the site that was chosen */
    public UnboundReferenceException(String site, List<UnboundReference> references) {
        super(message(references) + "\nSite " + site + " was chosen."
                + "\nMaybe the Requirements of the job ad should ask for sites that say this.");
        this.site = site;
        this.references = List.copyOf(references);
    }

    private static String message(List<UnboundReference> references) {
        String all =
                references.stream().limit(SHOWN).map(UnboundReference::toString).collect(Collectors.joining("\n"));
        String atLeast = references.size() == MOST_KEPT ? "at least " : "";
        return references.size() > SHOWN ? all + "\nand " + atLeast + (references.size() - SHOWN) + " more." : all;
    }

    /** The site that was chosen. */
    public String site() {
        return site;
    }

    public List<UnboundReference> references() {
        return references;
    }
}
