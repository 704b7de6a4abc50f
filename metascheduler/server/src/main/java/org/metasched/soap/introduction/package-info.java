/** Both ends of the messages that introduce the two parties of a match to each other. */
@NullMarked
package org.metasched.soap.introduction;

import org.jspecify.annotations.NullMarked;
