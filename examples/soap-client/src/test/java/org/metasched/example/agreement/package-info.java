/** Tests of the example. */
@NullMarked
package org.metasched.example.agreement;

import org.jspecify.annotations.NullMarked;
