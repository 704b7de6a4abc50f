/** The sites this metascheduler knows, each behind its {@link org.metasched.adapter.LocalScheduler}. */
@NullMarked
package org.metasched.sites;

import org.jspecify.annotations.NullMarked;
