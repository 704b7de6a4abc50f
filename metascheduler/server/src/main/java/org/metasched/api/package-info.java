/** REST API: sites, plans, agreements, events, matches and ads as JSON, over the application services. */
@NullMarked
package org.metasched.api;

import org.jspecify.annotations.NullMarked;
