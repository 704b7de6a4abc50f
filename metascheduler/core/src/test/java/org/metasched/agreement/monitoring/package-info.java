@NullMarked
package org.metasched.agreement.monitoring;

import org.jspecify.annotations.NullMarked;
