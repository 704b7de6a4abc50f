/** Commands about sites: their state, their ads, and the adapter of one site. */
@NullMarked
package org.metasched.cli.site;

import org.jspecify.annotations.NullMarked;
