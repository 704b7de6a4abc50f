/** How the site interface writes instants and durations. */
@NullMarked
package org.metasched.wsag.time;

import org.jspecify.annotations.NullMarked;
