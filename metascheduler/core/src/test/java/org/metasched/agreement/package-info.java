@NullMarked
package org.metasched.agreement;

import org.jspecify.annotations.NullMarked;
