package org.metasched.classad;

import java.util.Set;

/**
 * The names that an expression refers to, seen from an ad, in case-insensitive alphabetical order. HTCondor calls the external ones
 * significant attributes.
 *
 * @param external names that the ad lacks, with the selections from them: {@code TARGET.Memory}
 * @param externalTop the same names without the selections: {@code TARGET}
 * @param internal attributes of the ad that the expression uses, directly or through other attributes
 * @param circular whether the sets are incomplete: an attribute refers to itself, a selection is from a value that is no ad, or there
 *     are more references than an evaluation could follow
 */
public record References(Set<String> external, Set<String> externalTop, Set<String> internal, boolean circular) {}
