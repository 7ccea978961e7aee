#!/bin/sh
# Amphora beside other brokers: fetches them from Maven Central once, then runs all in turns.
# Needs the distribution and the load generator:
#   mvn -Pbench -pl distribution,bench -am -DskipTests -Darchive.format=dir -Darchive.base=amphora package
#
#   --peers artemis,brokerj,kafka   which others (default: all that can be fetched)
#   --only ROW,ROW                  a part of the table: bench/run compare --help lists the rows
# All other options are passed on: --rounds, --seconds, --size, --journal nio (aio needs Debian's
# libaio1), ... AMPHORA_BENCH_WORK is where the brokers and their data go (bench/target/compare).
set -eu
dir=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
artemis=2.56.0 brokerj=10.1.0 kafka=4.4.0
peers=artemis,brokerj,kafka chosen=''
work=${AMPHORA_BENCH_WORK:-$dir/target/compare}
home=$dir/../distribution/target/amphora/amphora
plugin=org.apache.maven.plugins:maven-dependency-plugin:3.8.1

fail() {
  echo "compare: $1" >&2
  exit 2
}

# Takes --peers out of the arguments and leaves the others as they are.
count=$#
while [ "$count" -gt 0 ]; do
  argument=$1
  shift
  count=$((count - 1))
  case $argument in
    --peers)
      [ "$count" -gt 0 ] || fail "--peers needs a list: artemis,brokerj,kafka"
      peers=$1 chosen=yes
      shift
      count=$((count - 1))
      ;;
    --peers=*) peers=${argument#--peers=} chosen=yes ;;
    *) set -- "$@" "$argument" ;;
  esac
done

[ -x "$home/bin/amphora" ] && [ -d "$dir/target/lib" ] ||
  fail "build first: mvn -Pbench -pl distribution,bench -am -DskipTests -Darchive.format=dir -Darchive.base=amphora package"
mkdir -p "$work"

# Fetches an archive and unpacks it: group:artifact, version, directory that it makes.
archive() {
  [ -d "$work/$3" ] && return
  mvn -q -B "$plugin:copy" "-Dartifact=$1:$2:tar.gz:bin" "-DoutputDirectory=$work" >&2 &&
    tar -xzf "$work/${1#*:}-$2-bin.tar.gz" -C "$work"
}

# Kafka's archive is not in Maven Central; its libraries are.
libraries() {
  [ -d "$work/kafka-$1" ] && return
  mkdir -p "$work/kafka-pom"
  cat >"$work/kafka-pom/pom.xml" <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>peers</groupId><artifactId>kafka</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>$1</version></dependency>
  </dependencies>
</project>
POM
  rm -rf "$work/kafka-part"
  mvn -q -B -f "$work/kafka-pom/pom.xml" "$plugin:copy-dependencies" -DincludeScope=runtime \
    "-DoutputDirectory=$work/kafka-part" >&2 && mv "$work/kafka-part" "$work/kafka-$1"
}

# What cannot be had is left out, unless it was asked for.
missing() {
  [ -z "$chosen" ] || fail "$1 could not be fetched"
  echo "compare: $1 could not be fetched; going on without" >&2
}

for peer in $(echo "$peers" | tr , ' '); do
  case $peer in
    artemis)
      if archive org.apache.artemis:apache-artemis $artemis apache-artemis-$artemis; then
        set -- --artemis "$work/apache-artemis-$artemis" "$@"
      else
        missing "ActiveMQ Artemis $artemis"
      fi
      ;;
    brokerj)
      if archive org.apache.qpid:apache-qpid-broker-j $brokerj qpid-broker/$brokerj; then
        set -- --brokerj "$work/qpid-broker/$brokerj" "$@"
      else
        missing "Qpid Broker-J $brokerj"
      fi
      ;;
    kafka)
      if libraries $kafka; then
        set -- --kafka "$work/kafka-$kafka" "$@"
      else
        missing "Kafka $kafka"
      fi
      ;;
    none) ;;
    *) fail "no peer is called $peer; there are artemis, brokerj, kafka and none" ;;
  esac
done

# As in a source tree, where the launcher does so after each build.
"$home/bin/amphora" prepare >&2
exec "$dir/run" compare --amphora "$home" --work "$work" "$@"
