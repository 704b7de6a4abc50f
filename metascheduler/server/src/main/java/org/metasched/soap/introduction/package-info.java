/** How the parties of a match are told of each other: both ends of that wire. */
@NullMarked
package org.metasched.soap.introduction;

import org.jspecify.annotations.NullMarked;
