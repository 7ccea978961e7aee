#!/bin/sh
# Amphora beside ActiveMQ Artemis: fetches Artemis from Maven Central once, then runs both in turns.
# Needs the distribution and the load generator:
#   mvn -Pbench -pl distribution,bench -am -DskipTests -Darchive.format=dir -Darchive.base=amphora package
# Options are passed on: --rounds, --seconds, --size, --journal nio (aio needs Debian's libaio1), ...
set -eu
dir=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
version=2.56.0
work=${AMPHORA_BENCH_WORK:-$dir/target/compare}
mkdir -p "$work"
if [ ! -d "$work/apache-artemis-$version" ]; then
  mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
    -Dartifact=org.apache.artemis:apache-artemis:$version:tar.gz:bin -DoutputDirectory="$work"
  tar -xzf "$work/apache-artemis-$version-bin.tar.gz" -C "$work"
fi
exec "$dir/run" compare --amphora "$dir/../distribution/target/amphora/amphora" \
  --artemis "$work/apache-artemis-$version" --work "$work" "$@"
