/** Commands of co-allocation: templates, offers and agreements at a server. */
@org.jspecify.annotations.NullMarked
package org.metasched.cli.agreement;
