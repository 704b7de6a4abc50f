/** The first hour: writing a configuration of one's own, and finding out what is wrong with an installation. */
@NullMarked
package org.metasched.cli.install;

import org.jspecify.annotations.NullMarked;
