/** {@code metasched simulate}: what co-allocation costs, found out before it is switched on. */
@NullMarked
package org.metasched.cli.simulate;

import org.jspecify.annotations.NullMarked;
