/** What programs read over HTTP: sites, agreements, matches and ads as JSON. Reads only; agreements are made over SOAP. */
@NullMarked
package org.metasched.api;

import org.jspecify.annotations.NullMarked;
