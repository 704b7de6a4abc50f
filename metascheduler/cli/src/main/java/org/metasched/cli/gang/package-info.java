/** Commands of gang matching. */
@org.jspecify.annotations.NullMarked
package org.metasched.cli.gang;
