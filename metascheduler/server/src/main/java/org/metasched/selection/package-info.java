/**
 * The bridge: gang matching chooses what co-allocation then claims, and site ads say what it holds. Beside the wiring
 * in {@code org.metasched.server}, the only package that knows both flows.
 */
@NullMarked
package org.metasched.selection;

import org.jspecify.annotations.NullMarked;
