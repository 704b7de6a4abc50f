/** Build-time only: writes the manual pages and the shell completion of the command line. */
@org.jspecify.annotations.NullMarked
package org.metasched.dist;
