/** The program run, and the page that explains it. */
@NullMarked
package org.metasched.example.library;

import org.jspecify.annotations.NullMarked;
