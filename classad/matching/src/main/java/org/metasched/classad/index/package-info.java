/**
 * Indexes over the offers of a pool, built from the constraints of both sides: columns of attribute values, sets of offers as
 * bits, partial evaluation of constraints to clauses, and the domain of a request, that is, the offers that may dock where it asks.
 * Behind the matchmaker and the gang matchers; no part of the API. A <em>site</em> here is a place where expressions are evaluated, not one
 * of the Grid.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.classad.index;
