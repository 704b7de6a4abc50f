/** Commands of gang matching. */
@NullMarked
package org.metasched.cli.gang;

import org.jspecify.annotations.NullMarked;
