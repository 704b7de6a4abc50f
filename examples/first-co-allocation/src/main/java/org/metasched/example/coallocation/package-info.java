/** An example: one slot at three simulated sites. */
@org.jspecify.annotations.NullMarked
package org.metasched.example.coallocation;
