/** Both ends of the collector's messages: its service and the client. */
@NullMarked
package org.metasched.soap.collector;

import org.jspecify.annotations.NullMarked;
