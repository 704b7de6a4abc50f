@NullMarked
package org.metasched.notice;

import org.jspecify.annotations.NullMarked;
