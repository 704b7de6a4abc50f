/**
 * CCS (Computing Center Software) and OpenCCS behind the site interface: a
 * {@link org.metasched.adapter.queue.QueueScheduler} with the defaults in {@code defaults.yaml} of this package. Never run
 * against the real scheduler; see {@code docs/adapters/ccs.md}.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.adapter.ccs;
