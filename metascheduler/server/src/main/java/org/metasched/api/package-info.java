/** REST API: sites, plans, agreements, events, matches and ads as JSON, over the application services. */
@org.jspecify.annotations.NullMarked
package org.metasched.api;
