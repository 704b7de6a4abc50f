/**
 * Both ends of the site interface over SOAP. {@link org.metasched.adapter.soap.AdapterHost} serves any
 * {@link org.metasched.adapter.LocalScheduler}; {@link org.metasched.adapter.soap.RemoteScheduler} calls it, and is itself a
 * {@code LocalScheduler}, so a caller need not know whether a site is remote.
 *
 * <p>At a site, no other package uses the message classes that are generated from {@code site.wsdl}. The six operations are those of
 * Streit et al. (ParCo 2005).
 */
@org.jspecify.annotations.NullMarked
package org.metasched.adapter.soap;
