/**
 * Call-backs that are owed to receivers outside. A durable outbox keeps them, and a dispatcher calls each receiver at least once, across a
 * crash at any moment. Knows neither a wire format nor a database.
 */
@NullMarked
package org.metasched.outbox;

import org.jspecify.annotations.NullMarked;
