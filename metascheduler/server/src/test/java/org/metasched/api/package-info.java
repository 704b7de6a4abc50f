@NullMarked
package org.metasched.api;

import org.jspecify.annotations.NullMarked;
