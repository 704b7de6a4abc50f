/** Machines by price: a program that needs the ClassAd language only. */
@org.jspecify.annotations.NullMarked
package org.metasched.example.library;
