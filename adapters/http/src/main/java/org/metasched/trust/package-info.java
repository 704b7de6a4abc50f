/**
 * Who speaks, and who may what: subjects, the verification of what proves them, rules, quotas, and the record of what was decided. Knows no
 * protocol.
 */
@NullMarked
package org.metasched.trust;

import org.jspecify.annotations.NullMarked;
