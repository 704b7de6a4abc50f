/** An example: one slot at three simulated sites. */
@NullMarked
package org.metasched.example.coallocation;

import org.jspecify.annotations.NullMarked;
