/**
 * Programs as a site's jobs: a directory for each, a script that runs in the reservation and tells its end, and how the
 * scheduler is handed it.
 */
@NullMarked
package org.metasched.adapter.jobs;

import org.jspecify.annotations.NullMarked;
