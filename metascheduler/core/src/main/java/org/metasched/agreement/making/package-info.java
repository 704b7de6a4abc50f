/**
 * Offers become agreements: check, negotiation, holds, repair of agreements that lost nodes before their slot, and termination. Knows the
 * model and the evaluation of guarantee terms; monitoring calls it.
 */
@NullMarked
package org.metasched.agreement.making;

import org.jspecify.annotations.NullMarked;
