/** Tests against schedulers that really run; see {@code test/live}. */
@NullMarked
package org.metasched.it.live;

import org.jspecify.annotations.NullMarked;
