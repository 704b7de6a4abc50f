/**
 * Programs as a site's jobs: a directory for each, a script that runs in the reservation and records its end, and the commands that submit
 * it.
 */
@NullMarked
package org.metasched.adapter.jobs;

import org.jspecify.annotations.NullMarked;
