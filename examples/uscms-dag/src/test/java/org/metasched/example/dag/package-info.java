/** The DAG of the example, bound. */
@NullMarked
package org.metasched.example.dag;

import org.jspecify.annotations.NullMarked;
