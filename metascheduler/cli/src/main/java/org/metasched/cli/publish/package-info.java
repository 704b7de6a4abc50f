/** Commands that advertise: a site from its configuration, ads by hand; and one that listens for matches. */
@org.jspecify.annotations.NullMarked
package org.metasched.cli.publish;
