/** Monitoring of living agreements: reservations, programs, run-time information, completion. Depends on the model, making and guarantees. */
@NullMarked
package org.metasched.agreement.monitoring;

import org.jspecify.annotations.NullMarked;
