/** The life of a bound DAG, however it is run: how far each of its nodes is, and when it may end. */
@NullMarked
package org.metasched.dag.life;

import org.jspecify.annotations.NullMarked;
