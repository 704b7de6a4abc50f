/** Commands about sites: their state, their ads, and the adapter of one site. */
@org.jspecify.annotations.NullMarked
package org.metasched.cli.site;
