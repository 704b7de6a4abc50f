/** Both ends of the collector's wire. */
@NullMarked
package org.metasched.soap.collector;

import org.jspecify.annotations.NullMarked;
