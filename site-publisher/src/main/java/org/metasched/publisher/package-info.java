/**
 * Advertisement of sites: a site ClassAd from YAML and live facts, sent on a schedule with a sequence number that never goes back, and
 * the count of matches ({@code CurMatches}) on which its requirements depend.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.publisher;
