/** Commands about certificates, access rules and the audit log. */
@NullMarked
package org.metasched.cli.trust;

import org.jspecify.annotations.NullMarked;
