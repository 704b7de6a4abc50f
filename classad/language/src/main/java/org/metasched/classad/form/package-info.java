/**
 * The readers and writers of the written forms of ads: new, long, JSON, XML. The language finds them as a service; a user reads and
 * writes through {@link org.metasched.classad.ClassAd}.
 */
@org.jspecify.annotations.NullMarked
package org.metasched.classad.form;
