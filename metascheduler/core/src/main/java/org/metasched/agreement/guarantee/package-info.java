/** Evaluation of guarantee terms: their states, and the compensations that are due. Depends on {@code agreement} only. */
@NullMarked
package org.metasched.agreement.guarantee;

import org.jspecify.annotations.NullMarked;
