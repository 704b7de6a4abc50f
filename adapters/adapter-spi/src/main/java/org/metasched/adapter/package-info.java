/**
 * The site interface: what the author of an adapter implements, and its values.
 *
 * <p>Needs the JDK only. {@link org.metasched.adapter.LocalScheduler} is the entry point, and
 * {@link org.metasched.adapter.LocalSchedulerFactory} opens one from settings. Optional abilities, such as
 * {@link org.metasched.adapter.WindowListing}, are interfaces of their own; the rest are values and exceptions. The
 * numbered rules that an implementation keeps (A1, A2, R1 …) stand in {@code docs/adapter-guide.md} and are checked by the kit in
 * {@code adapter-testkit}.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.adapter;
