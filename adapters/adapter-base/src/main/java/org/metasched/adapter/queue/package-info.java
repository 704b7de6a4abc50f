/**
 * A scheduler whose queue listing is the only source: commands, patterns, columns and state words are configuration. The CCS and EASY
 * adapters are this scheduler with their own defaults.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.adapter.queue;
