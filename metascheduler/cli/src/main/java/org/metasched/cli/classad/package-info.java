/** Commands of the ClassAd language: evaluation, conversion, bilateral matches. */
@org.jspecify.annotations.NullMarked
package org.metasched.cli.classad;
