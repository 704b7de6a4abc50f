/** Commands that write a first configuration and check an installation. */
@NullMarked
package org.metasched.cli.install;

import org.jspecify.annotations.NullMarked;
