/**
 * A site that answers over HTTP and JSON, in whatever language its admin writes: six operations, {@code docs/site-http.yaml}. Other adapters
 * share its access.
 */
@NullMarked
package org.metasched.adapter.rest;

import org.jspecify.annotations.NullMarked;
