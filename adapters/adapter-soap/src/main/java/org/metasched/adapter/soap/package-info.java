/**
 * Both ends of the site wire. {@link org.metasched.adapter.soap.AdapterHost} puts any
 * {@link org.metasched.adapter.LocalScheduler} behind SOAP; {@link org.metasched.adapter.soap.RemoteScheduler} is the other
 * end and again a {@code LocalScheduler}, so that in one process the wire falls out of the picture.
 *
 * <p>The only package on the site side that knows the generated message classes. The messages are those of
 * {@code site.wsdl}: the six operations of Streit et al. (ParCo 2005).
 */
@NullMarked
package org.metasched.adapter.soap;

import org.jspecify.annotations.NullMarked;
