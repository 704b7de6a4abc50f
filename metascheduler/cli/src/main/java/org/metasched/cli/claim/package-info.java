/** Commands that claim advertised resources, and use and release them. */
@NullMarked
package org.metasched.cli.claim;

import org.jspecify.annotations.NullMarked;
