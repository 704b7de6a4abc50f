/** The documents of WS-Agreement as trees: their names, and short ways to read and write them. */
@NullMarked
package org.metasched.client.xml;

import org.jspecify.annotations.NullMarked;
