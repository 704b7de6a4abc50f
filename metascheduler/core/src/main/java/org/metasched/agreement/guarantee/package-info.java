/** Guarantee terms are evaluated: whether each is fulfilled, and which compensations are due. Knows the model only. */
@NullMarked
package org.metasched.agreement.guarantee;

import org.jspecify.annotations.NullMarked;
