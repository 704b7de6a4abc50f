/** Build-time only: writes the manual pages and the shell completion of the command line. */
@NullMarked
package org.metasched.dist;

import org.jspecify.annotations.NullMarked;
