@org.jspecify.annotations.NullMarked
package org.metasched.simulation.stream;
