/**
 * The collector: the newest ad of every advertiser, for the lifetime that each announced.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.classad.collector;
