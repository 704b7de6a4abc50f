/** Notices of what happens to agreements, to web hooks and by mail, and calendars of them. */
@NullMarked
package org.metasched.notice;

import org.jspecify.annotations.NullMarked;
