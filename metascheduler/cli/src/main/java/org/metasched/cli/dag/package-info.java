/** Commands of DAGs and submit descriptions: check, bind, rebind, release, run, expand. */
@NullMarked
package org.metasched.cli.dag;

import org.jspecify.annotations.NullMarked;
