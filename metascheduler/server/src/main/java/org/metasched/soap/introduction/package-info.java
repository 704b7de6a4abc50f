/** Both ends of the messages that introduce the two parties of a match to each other. */
@org.jspecify.annotations.NullMarked
package org.metasched.soap.introduction;
