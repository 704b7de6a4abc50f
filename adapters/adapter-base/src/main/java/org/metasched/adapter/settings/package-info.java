/** Configuration files in YAML 1.2, with file, line and column of each value for error messages. */
@org.jspecify.annotations.NullMarked
package org.metasched.adapter.settings;
