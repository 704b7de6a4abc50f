@NullMarked
package org.metasched.console;

import org.jspecify.annotations.NullMarked;
