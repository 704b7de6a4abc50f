/** The sites this metascheduler knows, each behind its {@link org.metasched.adapter.LocalScheduler}. */
@org.jspecify.annotations.NullMarked
package org.metasched.sites;
