/** Fakes and contracts that tests of this and other modules share: they keep the same rules as the real things. */
@NullMarked
package org.metasched.fakes;

import org.jspecify.annotations.NullMarked;
