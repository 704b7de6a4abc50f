@NullMarked
package org.metasched.overview;

import org.jspecify.annotations.NullMarked;
