/** Text forms of instants and durations in the site interface. */
@NullMarked
package org.metasched.wsag.time;

import org.jspecify.annotations.NullMarked;
