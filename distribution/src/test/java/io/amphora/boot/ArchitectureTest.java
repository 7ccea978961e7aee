package io.amphora.boot;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows and ownership rules of docs/ARCHITECTURE.md that Maven alone cannot see. */
@AnalyzeClasses(packages = "io.amphora", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String[] PURE = {
    "io.amphora.core..", "io.amphora.wal..", "io.amphora.plugin.."
  };

  @ArchTest
  static final ArchRule coreKnowsNoSocketAndNoFile =
      noClasses()
          .that()
          .resideInAPackage("io.amphora.core..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.vertx..",
              "io.netty..",
              "java.net..",
              "java.nio.file..",
              "java.nio.channels..",
              "com.hazelcast..",
              "org.apache.qpid..",
              "io.amphora.wal.disk..");

  @ArchTest
  static final ArchRule logKnowsNothingButItself =
      noClasses()
          .that()
          .resideInAPackage("io.amphora.wal..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.amphora.core..",
              "io.amphora.amqp..",
              "io.amphora.admin..",
              "io.amphora.cluster..",
              "io.amphora.boot..",
              "io.vertx..",
              "io.netty..");

  @ArchTest
  static final ArchRule frontEndsDoNotSeeEachOther =
      slices().matching("io.amphora.(amqp|admin|cluster)..").should().notDependOnEachOther();

  @ArchTest
  static final ArchRule nobodySeesTheProgram =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.amphora.boot..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.amphora.boot..");

  @ArchTest
  static final ArchRule diskIsSeenByTheProgramOnly =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.amphora.wal.disk..", "io.amphora.boot..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.amphora.wal.disk..");

  @ArchTest
  static final ArchRule noLocksWhereStateHasAnOwner =
      noMethods()
          .that()
          .areDeclaredInClassesThat()
          .resideInAnyPackage("io.amphora.core..", "io.amphora.amqp..", "io.amphora.wal..")
          .should()
          .haveModifier(JavaModifier.SYNCHRONIZED);

  @ArchTest
  static final ArchRule noConcurrentMapsWhereStateHasAnOwner =
      noClasses()
          .that()
          .resideInAnyPackage("io.amphora.core..", "io.amphora.amqp..")
          .should()
          .dependOnClassesThat()
          .haveNameMatching("java\\.util\\.concurrent\\.(ConcurrentHashMap|locks\\..*)");

  @ArchTest
  static final ArchRule nobodySleeps =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .callMethod(Thread.class, "sleep", long.class);

  @ArchTest
  static final ArchRule publicApiOfTheLogIsItsRootPackage =
      classes()
          .that()
          .resideInAPackage("io.amphora.wal.disk..")
          .and()
          .arePublic()
          .should()
          .haveNameMatching(
              ".*\\.(DiskWal|DiskOptions|Files|SystemFiles|Files\\$.*|DiskOptions\\$.*)");
}
