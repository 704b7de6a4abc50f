/**
 * Choice of the candidates that serve parts, together with their starts, over windows that are known. A pure function:
 * no site is asked, no clock is read, nothing is held. {@link org.metasched.choice.Choice} is the entry point.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.choice;
