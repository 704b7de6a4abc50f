/** Machines by price: a program that needs the ClassAd language only. */
@NullMarked
package org.metasched.example.library;

import org.jspecify.annotations.NullMarked;
