/**
 * Queries for console and API: sites and their load, advertised ads, held matches, pages of refused offers. Knows the records of both flows and
 * neither from within; {@code server} answers for the matchmaking side.
 */
@NullMarked
package org.metasched.overview;

import org.jspecify.annotations.NullMarked;
