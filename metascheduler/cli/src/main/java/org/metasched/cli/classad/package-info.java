/** Commands of the ClassAd language: evaluation, conversion, bilateral matches. */
@NullMarked
package org.metasched.cli.classad;

import org.jspecify.annotations.NullMarked;
