/**
 * A scheduler that is read by its queue listing only: commands, patterns, columns and state words are configuration. The CCS and EASY
 * adapters are this scheduler with their own defaults.
 */
@NullMarked
package org.metasched.adapter.queue;

import org.jspecify.annotations.NullMarked;
