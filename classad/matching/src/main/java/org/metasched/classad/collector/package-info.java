/**
 * The collector: the newest ad of every advertiser, for the lifetime that each announced.
 */
@NullMarked
package org.metasched.classad.collector;

import org.jspecify.annotations.NullMarked;
