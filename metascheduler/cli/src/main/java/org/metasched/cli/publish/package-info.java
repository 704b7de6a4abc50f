/** Commands that advertise: a site from its configuration, ads by hand; and one that listens for matches. */
@NullMarked
package org.metasched.cli.publish;

import org.jspecify.annotations.NullMarked;
