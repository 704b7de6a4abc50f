/**
 * The stores of agreements, the reservation journal, leases, ads and call-backs, and the servers' shared tasks, in a relational database:
 * the same SQL on H2 and PostgreSQL. The only package that knows SQL.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.store;
