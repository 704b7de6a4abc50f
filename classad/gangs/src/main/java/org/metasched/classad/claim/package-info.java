/**
 * From introduction to working relation: the members of a gang are claimed in two phases, from the root down the tree
 * (Raman, Livny, Solomon 2003, section 4.4). A match may be stale when it is made; a claim is checked by its owner.
 */
@NullMarked
package org.metasched.classad.claim;

import org.jspecify.annotations.NullMarked;
