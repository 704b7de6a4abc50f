/** Text forms of instants and durations in the site interface. */
@org.jspecify.annotations.NullMarked
package org.metasched.wsag.time;
