package org.metasched.it;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.ref.SoftReference;
import java.util.List;

/** The classes of the house without what is made from schemas, read once for all tests of a JVM. */
final class OurClasses {

    private static SoftReference<List<JavaClass>> read = new SoftReference<>(null);

    private OurClasses() {}

    /** Classes of libraries and of the JDK, to which these refer, are names without members. */
    static synchronized List<JavaClass> all() {
        var known = read.get();
        if (known == null) {
            known = ArchConfiguration.withThreadLocalScope(configuration -> {
                configuration.setResolveMissingDependenciesFromClassPath(false);
                return new ClassFileImporter()
                                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                                .withImportOption(new HouseRulesTest.WithoutTestJars())
                                .importPackages("org.metasched")
                                .stream()
                                .filter(OurClasses::isOurs)
                                .toList();
            });
            read = new SoftReference<>(known);
        }
        return known;
    }

    static boolean isOurs(JavaClass type) {
        return type.getPackageName().startsWith("org.metasched")
                && !type.getPackageName().startsWith("org.metasched.wsag");
    }

    /** The class in whose file it stands. */
    static String outermost(JavaClass type) {
        int dollar = type.getName().indexOf('$');
        return dollar < 0 ? type.getName() : type.getName().substring(0, dollar);
    }
}
