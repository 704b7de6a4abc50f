/**
 * The HTTP server that adapters and the meta-scheduler share: addresses, limits, threads, orderly stop; and the client for addresses
 * that strangers name. Its users bring the servlets; the package knows neither SOAP nor sites.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.http;
