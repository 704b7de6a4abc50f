/**
 * A site that answers over HTTP and JSON, by a program in any language: six operations, {@code docs/site-http.yaml}. Other adapters share
 * {@link org.metasched.adapter.rest.RestAccess}.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.adapter.rest;
