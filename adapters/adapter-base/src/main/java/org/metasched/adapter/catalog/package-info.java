/** The adapters on the class path and in a folder of jars, and the {@code site.yaml} that chooses one of them. */
@org.jspecify.annotations.NullMarked
package org.metasched.adapter.catalog;
