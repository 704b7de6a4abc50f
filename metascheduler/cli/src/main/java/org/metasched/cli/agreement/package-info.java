/** Commands of co-allocation: templates, offers and agreements at a server. */
@NullMarked
package org.metasched.cli.agreement;

import org.jspecify.annotations.NullMarked;
