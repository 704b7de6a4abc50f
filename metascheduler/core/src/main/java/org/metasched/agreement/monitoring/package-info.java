/** Monitoring of living agreements: reservations, programs, run-time information, completion. Depends on the model, making and guarantees. */
@org.jspecify.annotations.NullMarked
package org.metasched.agreement.monitoring;
