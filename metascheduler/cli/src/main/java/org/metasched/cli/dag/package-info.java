/** Commands of DAGs, of their matches, and of submit descriptions. */
@NullMarked
package org.metasched.cli.dag;

import org.jspecify.annotations.NullMarked;
