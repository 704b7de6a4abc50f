/**
 * Authentication and authorization: subjects, verification of credentials, access rules, quotas, and the audit log of decisions.
 * Independent of the HTTP server.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.trust;
