/** Commands that claim advertised resources, and use and release them. */
@org.jspecify.annotations.NullMarked
package org.metasched.cli.claim;
