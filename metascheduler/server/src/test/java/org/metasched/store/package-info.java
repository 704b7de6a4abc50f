@NullMarked
package org.metasched.store;

import org.jspecify.annotations.NullMarked;
