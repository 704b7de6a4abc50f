/**
 * Pages of a server for people: templates that the server fills with states of sites, agreements and ads.
 */
@NullMarked
package org.metasched.console;

import org.jspecify.annotations.NullMarked;
