@NullMarked
package org.metasched.server;

import org.jspecify.annotations.NullMarked;
