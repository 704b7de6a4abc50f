/** A site that answers over HTTP and JSON, in whatever language its admin writes: six operations, {@code docs/site-http.yaml}. */
@NullMarked
package org.metasched.adapter.rest;

import org.jspecify.annotations.NullMarked;
