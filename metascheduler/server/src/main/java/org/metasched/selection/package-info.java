/** The bridge: gang matching chooses what co-allocation then claims. The only package that knows both flows. */
@NullMarked
package org.metasched.selection;

import org.jspecify.annotations.NullMarked;
