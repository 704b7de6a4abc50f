/**
 * Services that console and API share: sites and their load, advertised ads, held matches, pages of refused offers, offers as documents.
 * {@code server} implements {@link org.metasched.overview.MatchService}, {@code soap} implements
 * {@link org.metasched.overview.DocumentOffers}.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.overview;
