/** Commands that advertise: a site from its configuration, ads by hand, and who hears of matches. */
@NullMarked
package org.metasched.cli.publish;

import org.jspecify.annotations.NullMarked;
