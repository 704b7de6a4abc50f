/** Commands of DAGs, of their matches, and of submit descriptions. */
@org.jspecify.annotations.NullMarked
package org.metasched.cli.dag;
