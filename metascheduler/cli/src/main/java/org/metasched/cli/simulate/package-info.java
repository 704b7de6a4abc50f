/** {@code metasched simulate}: commands that run scenarios of co-allocation and compare their results. */
@org.jspecify.annotations.NullMarked
package org.metasched.cli.simulate;
