/**
 * A scheduler that is known by its queue listing only: commands, patterns, columns and state words are configuration. The
 * CCS and EASY adapters are this with their own defaults.
 */
@NullMarked
package org.metasched.adapter.queue;

import org.jspecify.annotations.NullMarked;
