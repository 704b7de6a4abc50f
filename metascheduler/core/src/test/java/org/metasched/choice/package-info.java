@NullMarked
package org.metasched.choice;

import org.jspecify.annotations.NullMarked;
