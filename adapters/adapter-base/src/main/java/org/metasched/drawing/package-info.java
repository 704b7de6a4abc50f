/** Pictures as SVG: a writer of shapes and texts, and scales that place them. */
@NullMarked
package org.metasched.drawing;

import org.jspecify.annotations.NullMarked;
