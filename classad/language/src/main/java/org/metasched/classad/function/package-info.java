/** The built-in functions, in a class for each family. The language finds them as a service and does not depend on this package. */
@NullMarked
package org.metasched.classad.function;

import org.jspecify.annotations.NullMarked;
