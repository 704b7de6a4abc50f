/** Certificates, rules and records of who may what. */
@NullMarked
package org.metasched.cli.trust;

import org.jspecify.annotations.NullMarked;
