/** Pictures as SVG: a writer of shapes and texts, and scales that place them. */
@org.jspecify.annotations.NullMarked
package org.metasched.drawing;
