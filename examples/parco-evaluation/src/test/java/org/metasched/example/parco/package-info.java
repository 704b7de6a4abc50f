@org.jspecify.annotations.NullMarked
package org.metasched.example.parco;
