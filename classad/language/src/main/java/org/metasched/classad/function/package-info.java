/** The built-in functions, in a class for each family. The language finds them as a service and does not depend on this package. */
@org.jspecify.annotations.NullMarked
package org.metasched.classad.function;
