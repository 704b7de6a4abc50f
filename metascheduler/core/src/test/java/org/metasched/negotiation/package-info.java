@NullMarked
package org.metasched.negotiation;

import org.jspecify.annotations.NullMarked;
