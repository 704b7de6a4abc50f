/**
 * The site interface: what the author of an adapter implements, and its values.
 *
 * <p>Needs the JDK only. {@link org.metasched.adapter.LocalScheduler} is the entry point; everything else is a value it
 * takes or returns. The numbered rules that an implementation keeps (A1, A2, R1 …) stand in
 * {@code docs/adapter-guide.md} and are checked by the kit in {@code adapter-testkit}.
 */
@NullMarked
package org.metasched.adapter;

import org.jspecify.annotations.NullMarked;
