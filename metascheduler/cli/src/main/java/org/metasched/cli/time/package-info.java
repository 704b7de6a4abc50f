/** Times and spans of time as people type them. */
@NullMarked
package org.metasched.cli.time;

import org.jspecify.annotations.NullMarked;
