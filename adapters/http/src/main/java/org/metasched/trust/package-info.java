/** Who speaks: subjects, and the verification of the certificates and tokens that prove them. Knows no protocol. */
@NullMarked
package org.metasched.trust;

import org.jspecify.annotations.NullMarked;
