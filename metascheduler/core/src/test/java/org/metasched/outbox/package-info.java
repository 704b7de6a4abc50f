@NullMarked
package org.metasched.outbox;

import org.jspecify.annotations.NullMarked;
