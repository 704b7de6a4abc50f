/** The life of a bound DAG, however it is run: how far each of its nodes is, and when it may end. */
@org.jspecify.annotations.NullMarked
package org.metasched.dag.life;
