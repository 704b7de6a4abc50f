/**
 * Pages of a server for people: templates that the server fills with states of sites, agreements and ads.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.console;
