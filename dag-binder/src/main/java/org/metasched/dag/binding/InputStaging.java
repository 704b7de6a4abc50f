package org.metasched.dag.binding;

/** Way in which a bound DAG gets the files that its jobs read and that depend on no site. */
public enum InputStaging {
    /** Links to the originals. */
    LINK("Links"),
    /** Copies, so that the originals may go or change. */
    COPY("Copies"),
    /** A list of them with sizes and digests, for another program to bring them. */
    MANIFEST("Listed");

    /** The attribute of the record with their names. */
    final String attribute;

    InputStaging(String attribute) {
        this.attribute = attribute;
    }
}
