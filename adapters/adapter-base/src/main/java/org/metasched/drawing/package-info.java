/** Pictures as SVG: one writer for shapes and texts, and the scales on which they stand. */
@NullMarked
package org.metasched.drawing;

import org.jspecify.annotations.NullMarked;
