/**
 * Measurements that the packaged program repeats anywhere. Commands are doors; each measurement is a class of its own.
 */
@NullMarked
package org.metasched.cli.bench;

import org.jspecify.annotations.NullMarked;
