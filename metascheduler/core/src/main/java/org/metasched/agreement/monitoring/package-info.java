/** Living agreements are observed: reservations, programs, run-time information, completion. Knows the model, making and guarantees. */
@NullMarked
package org.metasched.agreement.monitoring;

import org.jspecify.annotations.NullMarked;
