/**
 * Pages of a server for people, made on the server from what the sites, the agreements and the collector say at that moment.
 */
@NullMarked
package org.metasched.console;

import org.jspecify.annotations.NullMarked;
