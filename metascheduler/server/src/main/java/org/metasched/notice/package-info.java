/** Notices about agreements, to web hooks and by mail, and calendars of agreements. */
@NullMarked
package org.metasched.notice;

import org.jspecify.annotations.NullMarked;
