/**
 * Programs as jobs of a site: a directory for each, a script that runs in the reservation and records the program's end, and the interface
 * to the scheduler's jobs.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.adapter.jobs;
