/**
 * The adapter contract kit: numbered rules ({@link org.metasched.adapter.testkit.AdapterRule}) that can be run against any
 * {@link org.metasched.adapter.LocalScheduler}, live or simulated, by {@link org.metasched.adapter.testkit.AdapterKit} or,
 * one dynamic test each, by {@link org.metasched.adapter.testkit.LocalSchedulerContract}.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.adapter.testkit;
