/** Claims of advertised resources, by hand. */
@NullMarked
package org.metasched.cli.claim;

import org.jspecify.annotations.NullMarked;
