/** Tests of the client by itself; what it does with a service is tested where the service is. */
@NullMarked
package org.metasched.client;

import org.jspecify.annotations.NullMarked;
