/** Evaluation of guarantee terms: their states, and the compensations that are due. Depends on {@code agreement} only. */
@org.jspecify.annotations.NullMarked
package org.metasched.agreement.guarantee;
