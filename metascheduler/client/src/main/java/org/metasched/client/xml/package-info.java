/** The documents of WS-Agreement as trees: their names, and short ways to read and write them. */
@org.jspecify.annotations.NullMarked
package org.metasched.client.xml;
