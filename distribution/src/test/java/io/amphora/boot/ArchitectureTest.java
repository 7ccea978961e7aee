package io.amphora.boot;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The arrows and ownership rules of docs/ARCHITECTURE.md that Maven alone cannot see. */
class ArchitectureTest {

  private static final String[] PURE = {
    "io.amphora.core..", "io.amphora.wal..", "io.amphora.plugin.."
  };

  private static final ArchRule CORE_KNOWS_NO_SOCKET_AND_NO_FILE =
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

  private static final ArchRule LOG_KNOWS_NOTHING_BUT_ITSELF =
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

  private static final ArchRule FRONT_ENDS_DO_NOT_SEE_EACH_OTHER =
      slices().matching("io.amphora.(amqp|admin|cluster)..").should().notDependOnEachOther();

  private static final ArchRule NOBODY_SEES_THE_PROGRAM =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.amphora.boot..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.amphora.boot..");

  private static final ArchRule DISK_IS_SEEN_BY_THE_PROGRAM_ONLY =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.amphora.wal.disk..", "io.amphora.boot..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.amphora.wal.disk..");

  private static final ArchRule NO_LOCKS_WHERE_STATE_HAS_AN_OWNER =
      noMethods()
          .that()
          .areDeclaredInClassesThat()
          .resideInAnyPackage("io.amphora.core..", "io.amphora.amqp..", "io.amphora.wal..")
          .should()
          .haveModifier(JavaModifier.SYNCHRONIZED);

  private static final ArchRule NO_CONCURRENT_MAPS_WHERE_STATE_HAS_AN_OWNER =
      noClasses()
          .that()
          .resideInAnyPackage("io.amphora.core..", "io.amphora.amqp..")
          .should()
          .dependOnClassesThat()
          .haveNameMatching("java\\.util\\.concurrent\\.(ConcurrentHashMap|locks\\..*)");

  private static final ArchRule NOBODY_SLEEPS =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .callMethod(Thread.class, "sleep", long.class);

  private static final ArchRule PUBLIC_API_OF_THE_LOG_IS_ITS_ROOT_PACKAGE =
      classes()
          .that()
          .resideInAPackage("io.amphora.wal.disk..")
          .and()
          .arePublic()
          .and()
          .areTopLevelClasses()
          .should()
          .haveNameMatching(".*\\.(DiskWal|DiskOptions|Files|LogInspector|LogReport)");

  private static JavaClasses classes;

  /**
   * Ordinary tests, not ArchUnit's own engine: Surefire counts none of those, and none is a pass.
   */
  @BeforeAll
  static void importClasses() {
    classes =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("io.amphora");
    assertThat(classes.contain("io.amphora.core.partition.Leader")).isTrue();
    assertThat(classes.contain("io.amphora.wal.disk.DiskThread")).isTrue();
  }

  @Test
  void coreKnowsNoSocketAndNoFile() {
    CORE_KNOWS_NO_SOCKET_AND_NO_FILE.check(classes);
  }

  @Test
  void logKnowsNothingButItself() {
    LOG_KNOWS_NOTHING_BUT_ITSELF.check(classes);
  }

  @Test
  void frontEndsDoNotSeeEachOther() {
    FRONT_ENDS_DO_NOT_SEE_EACH_OTHER.check(classes);
  }

  @Test
  void nobodySeesTheProgram() {
    NOBODY_SEES_THE_PROGRAM.check(classes);
  }

  @Test
  void diskIsSeenByTheProgramOnly() {
    DISK_IS_SEEN_BY_THE_PROGRAM_ONLY.check(classes);
  }

  @Test
  void noLocksWhereStateHasAnOwner() {
    NO_LOCKS_WHERE_STATE_HAS_AN_OWNER.check(classes);
  }

  @Test
  void noConcurrentMapsWhereStateHasAnOwner() {
    NO_CONCURRENT_MAPS_WHERE_STATE_HAS_AN_OWNER.check(classes);
  }

  @Test
  void nobodySleeps() {
    NOBODY_SLEEPS.check(classes);
  }

  @Test
  void publicApiOfTheLogIsItsRootPackage() {
    PUBLIC_API_OF_THE_LOG_IS_ITS_ROOT_PACKAGE.check(classes);
  }
}
