package io.amphora.boot;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows between the rooms and the one-owner rule, as the build sees them. */
@AnalyzeClasses(packages = "io.amphora", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String WAL = "io.amphora.wal..";
  private static final String CORE = "io.amphora.core..";
  private static final String PLUGIN = "io.amphora.plugin..";
  private static final String CLUSTER = "io.amphora.cluster..";
  private static final String AMQP = "io.amphora.amqp..";
  private static final String ADMIN = "io.amphora.admin..";
  private static final String BOOT = "io.amphora.boot..";

  @ArchTest
  static final ArchRule shouldKeepTheLogFreeOfEverything =
      noClasses()
          .that()
          .resideInAPackage(WAL)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              CORE,
              PLUGIN,
              CLUSTER,
              AMQP,
              ADMIN,
              BOOT,
              "io.vertx..",
              "io.netty..",
              "com.hazelcast..");

  @ArchTest
  static final ArchRule shouldKeepTheCoreFreeOfSocketsFilesAndClusters =
      noClasses()
          .that()
          .resideInAPackage(CORE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.amphora.wal.disk..",
              CLUSTER,
              AMQP,
              ADMIN,
              BOOT,
              "io.vertx..",
              "io.netty..",
              "com.hazelcast..",
              "java.nio.file..",
              "java.nio.channels..",
              "java.net..");

  @ArchTest
  static final ArchRule shouldNotLetTheFrontEndsSeeEachOther =
      slices().matching("io.amphora.(amqp|admin|cluster)..").should().notDependOnEachOther();

  @ArchTest
  static final ArchRule shouldNotLetAFrontEndSeeTheDiskOrTheProgram =
      noClasses()
          .that()
          .resideInAnyPackage(CLUSTER, AMQP, ADMIN)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.amphora.wal.disk..", BOOT);

  @ArchTest
  static final ArchRule shouldHaveOneOwnerInsteadOfLocks =
      noClasses()
          .that()
          .resideInAnyPackage(CORE, AMQP, "io.amphora.wal.disk..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("java.util.concurrent.locks..")
          .orShould()
          .dependOnClassesThat()
          .haveNameMatching("java\\.util\\.concurrent\\.Concurrent.*Map");

  @ArchTest
  static final ArchRule shouldNotSynchronize =
      methods()
          .that()
          .areDeclaredInClassesThat()
          .resideInAnyPackage(CORE, AMQP, "io.amphora.wal..")
          .should()
          .notHaveModifier(JavaModifier.SYNCHRONIZED);

  @ArchTest
  static final ArchRule shouldNameClassesAfterWhatTheyAre =
      classes()
          .that()
          .resideInAPackage("io.amphora..")
          .should()
          .haveSimpleNameNotEndingWith("Manager")
          .andShould()
          .haveSimpleNameNotEndingWith("Helper")
          .andShould()
          .haveSimpleNameNotEndingWith("Utils");
}
