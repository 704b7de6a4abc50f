/** Configuration files in YAML 1.2, with file, line and column of each value for error messages. */
@NullMarked
package org.metasched.adapter.settings;

import org.jspecify.annotations.NullMarked;
