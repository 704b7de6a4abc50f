package org.metasched.classad;

import java.util.Set;

/**
 * The names an expression refers to, seen from an ad, in case-insensitive alphabetical order. HTCondor calls the external ones
 * significant attributes.
 *
 * @param external names the ad cannot resolve, with what they are selected from: {@code TARGET.Memory}
 * @param externalTop the same names without what is selected from them: {@code TARGET}
 * @param internal attributes of the ad that the expression uses, directly or through others
 * @param circular whether the expression refers to itself, or selects from what is no ad; then the sets are incomplete
 */
public record References(Set<String> external, Set<String> externalTop, Set<String> internal, boolean circular) {}
