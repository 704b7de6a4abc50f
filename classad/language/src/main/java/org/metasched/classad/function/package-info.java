/** The built-in functions, a class for each family. The language finds them as a service and refers to none of them. */
@NullMarked
package org.metasched.classad.function;

import org.jspecify.annotations.NullMarked;
