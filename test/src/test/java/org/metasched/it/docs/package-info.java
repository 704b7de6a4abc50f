/** The documents run: each command that they show, compared with what they say it prints. */
@NullMarked
package org.metasched.it.docs;

import org.jspecify.annotations.NullMarked;
