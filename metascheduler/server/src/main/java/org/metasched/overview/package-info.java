/**
 * Services that console and API share: sites and their load, advertised ads, held matches, pages of refused offers, offers as documents. Knows the
 * records of both flows and neither from within; {@code server} answers for the matchmaking side, {@code soap} for documents.
 */
@NullMarked
package org.metasched.overview;

import org.jspecify.annotations.NullMarked;
