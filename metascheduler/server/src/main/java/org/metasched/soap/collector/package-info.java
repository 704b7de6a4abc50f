/** Both ends of the collector's messages: its service and the client. */
@org.jspecify.annotations.NullMarked
package org.metasched.soap.collector;
