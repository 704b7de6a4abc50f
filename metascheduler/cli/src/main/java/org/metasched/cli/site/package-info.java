/** Commands about sites: what is known of them, and the adapter of one of them. */
@NullMarked
package org.metasched.cli.site;

import org.jspecify.annotations.NullMarked;
