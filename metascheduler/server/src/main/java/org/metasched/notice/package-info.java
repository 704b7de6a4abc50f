/** Notices about agreements, to web hooks and by mail, and calendars of agreements. */
@org.jspecify.annotations.NullMarked
package org.metasched.notice;
