/** Commands that write a first configuration and check an installation. */
@org.jspecify.annotations.NullMarked
package org.metasched.cli.install;
