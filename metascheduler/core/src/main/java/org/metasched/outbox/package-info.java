/**
 * Call-backs that are owed to receivers outside. A durable outbox keeps them, and a dispatcher calls each receiver at least once, across a
 * crash at any moment. Depends on no wire format and no database.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.outbox;
