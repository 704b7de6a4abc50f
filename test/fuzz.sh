#!/usr/bin/env bash
# Looks for inputs that break the language, gang matching or the reading of strangers' messages, with Jazzer: test/fuzz.sh [seconds] [target...]
# The seconds (600 if none are given) are shared by the targets. Each target prints how many inputs it ran; the first finding
# ends the run with its stack trace, the file that holds the input, and exit code 1. A finding becomes a test when its file
# is moved to the folder of the target's inputs (src/test/resources of classad/language, classad/gangs or adapters/adapter-soap).
set -uo pipefail
cd "$(dirname "$0")/.."

root=$PWD
seconds=${1:-600}
[ $# -gt 0 ] && shift
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(
    LanguageFuzzTest::readsAnyBytesAsAnyForm LanguageFuzzTest::readsAnAdAsTheParserDoes
    LanguageFuzzTest::evaluatesAnyTree LanguageFuzzTest::callsAnyFunctionWithAnything CostFuzzTest::costsInProportion
    gang.GangFuzzTest::marshalsAnyAds adapter.soap.MessageFuzzTest::costsWhatItsBytesCost)
each=$((seconds / ${#targets[@]}))
[ "$each" -gt 0 ] || { echo "fuzz: $seconds seconds are too few for ${#targets[@]} targets" >&2; exit 2; }

mvn -B -q -Dstyle.color=never -Dquick -pl classad/gangs,adapters/adapter-soap -am test-compile dependency:build-classpath \
    -DincludeScope=test -Dmdep.outputFile=target/test-classpath || { echo "fuzz: the build failed" >&2; exit 3; }
java=${JAVA_HOME:+$JAVA_HOME/bin/}java

for target in "${targets[@]}"; do
    case $target in
        adapter.*) package=org.metasched module=adapters/adapter-soap heap=512m ;; # megabytes of messages
        *) package=org.metasched.classad module=classad/gangs heap=256m ;;
    esac
    class=$package.${target%%::*} method=${target##*::}
    cd "$root/$module" || exit 3
    findings=target/fuzz
    mkdir -p $findings
    # The fuzzer leaves an empty folder of the same name here, so the language's own is looked for first.
    inputs=$(ls -d {../language,.}/src/test/resources/${class//.//}Inputs/$method 2>/dev/null | head -n 1)
    corpus=$findings/corpus-$method log=$findings/$method.log
    mkdir -p "$corpus"
    "$java" -Xmx$heap -XX:+UseSerialGC -cp "target/test-classes:target/classes:$(cat target/test-classpath)" \
        com.code_intelligence.jazzer.Jazzer --target_class="$class" --target_method="$method" \
        --instrumentation_includes="$package.**" \
        $([[ $method != costs* ]] || echo --trace=cov) \
        --disabled_hooks=com.code_intelligence.jazzer.sanitizers.RegexInjection \
        -max_total_time="$each" -timeout=120 -rss_limit_mb=0 -max_len=4096 -dict="$root/test/fuzz.dict" \
        -print_final_stats=1 -artifact_prefix="$findings/" "$corpus" ${inputs:+"$inputs"} >"$log" 2>&1
    code=$?
    ran=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
    if [ $code -ne 0 ] || [ "${ran:-0}" -eq 0 ]; then
        grep -v '^#' "$log" | tail -n 60
        echo "fuzz: $target FAILED after ${ran:-0} inputs (exit $code); the input is in $module/$findings" >&2
        exit 1
    fi
    echo "fuzz: $target ran $ran inputs in $each s, no finding"
done
