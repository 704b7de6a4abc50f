/** Commands about certificates, access rules and the audit log. */
@org.jspecify.annotations.NullMarked
package org.metasched.cli.trust;
