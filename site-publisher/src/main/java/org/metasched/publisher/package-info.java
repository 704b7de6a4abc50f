/**
 * Sites that publish themselves: a site ClassAd from YAML and live facts, sent on a schedule with a sequence number that
 * never goes back, and the one count of matches ({@code CurMatches}) that its policy is about.
 */
@NullMarked
package org.metasched.publisher;

import org.jspecify.annotations.NullMarked;
