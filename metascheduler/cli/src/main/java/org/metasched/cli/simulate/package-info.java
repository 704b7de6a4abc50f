/** {@code metasched simulate}: commands that run scenarios of co-allocation and compare their results. */
@NullMarked
package org.metasched.cli.simulate;

import org.jspecify.annotations.NullMarked;
