#!/bin/sh
# Makes the static site of the documents in target/site. Needs mkdocs (Debian: apt-get install mkdocs) and no network.
set -eu
cd "$(dirname "$0")/.."
rm -rf target/site-source target/site
mkdir -p target/site-source
# Pages, and the files that they lead to.
{
    git ls-files '*.md' docs 'examples/*.yaml' '*.wsdl' 'adapters/*/defaults.yaml' | grep -v '^test/'
    git ls-files test/src/test/java/org/metasched/it/docs/DocumentsIT.java test/src/test/java/org/metasched/it/CrashRecoveryIT.java
} | while read -r file; do
    mkdir -p "target/site-source/$(dirname "$file")"
    cp "$file" "target/site-source/$file"
done
mkdocs build --quiet --config-file mkdocs.yml
echo "target/site/index.html"
