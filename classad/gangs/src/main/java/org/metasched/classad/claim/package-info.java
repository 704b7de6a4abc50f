/**
 * Two-phase claims of the members of a gang, from the root down the tree (Raman, Livny, Solomon 2003, section 4.4). A match may be stale
 * when it is made; each owner checks a claim against the present state of its resource.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.classad.claim;
