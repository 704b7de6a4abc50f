/**
 * A site that answers over HTTP and JSON, by a program in any language: six operations, {@code docs/site-http.yaml}. Other adapters share
 * {@link org.metasched.adapter.rest.RestAccess}.
 */
@NullMarked
package org.metasched.adapter.rest;

import org.jspecify.annotations.NullMarked;
