/**
 * The collector: the newest ad of everybody who advertises, for as long as each promised to live.
 */
@NullMarked
package org.metasched.classad.collector;

import org.jspecify.annotations.NullMarked;
