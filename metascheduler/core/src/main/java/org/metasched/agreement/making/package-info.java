/**
 * The making of agreements from offers: check, negotiation, holds, repair of agreements that lost nodes before their slot, and termination.
 * Depends on the model and the evaluation of guarantee terms; monitoring depends on this package.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.agreement.making;
