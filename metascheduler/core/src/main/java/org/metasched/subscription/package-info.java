/** What people subscribe to: occasions of agreements of which they are told, and calendars; where it is kept. Knows no way of telling. */
@NullMarked
package org.metasched.subscription;

import org.jspecify.annotations.NullMarked;
