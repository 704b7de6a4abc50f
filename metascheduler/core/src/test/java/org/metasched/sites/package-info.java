@NullMarked
package org.metasched.sites;

import org.jspecify.annotations.NullMarked;
