@NullMarked
package org.metasched.agreement.making;

import org.jspecify.annotations.NullMarked;
