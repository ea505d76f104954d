#!/bin/sh
# Rebuilds the modules from their sources. Needs clang, lld and rustc with the wasm32 target
# (Debian: apt-get install clang lld rustc libstd-rust-dev-wasm32).
set -eu
cd "$(dirname "$0")"
for name in vault kernels; do
  clang --target=wasm32 -O2 -Wall -Wextra -Werror -ffreestanding -nostdlib \
    -Wl,--no-entry -Wl,--strip-all -Wl,--initial-memory=196608 -Wl,--max-memory=524288 -Wl,-z,stack-size=32768 -o $name.wasm $name.c
  chmod 644 $name.wasm
done
# With names and lines, in both versions that compilers write.
for version in 4 5; do
  name=$([ $version = 4 ] && echo faults || echo faults-dwarf5)
  clang --target=wasm32 -O2 -gdwarf-$version -Wall -Wextra -Werror -ffreestanding -nostdlib -fdebug-compilation-dir=. -Wl,--no-entry \
    -Wl,--stack-first -Wl,--max-memory=524288 -Wl,-z,stack-size=32768 -o $name.wasm faults.c
  chmod 644 $name.wasm
done
rustc --target wasm32-unknown-unknown --crate-type cdylib --edition 2021 -C opt-level=z -C lto=yes -C panic=abort -C strip=symbols \
  -C link-arg=--initial-memory=131072 -C link-arg=--max-memory=524288 -C link-arg=-zstack-size=32768 -o tally.wasm tally.rs
chmod 644 tally.wasm

# Modules of the templates, as `parley contract build` makes them.
made=$(mktemp -d)
for language in c rust; do
  node ../../../node/parley.mjs contract new "$made/$language" --lang $language >/dev/null
  node ../../../node/parley.mjs contract build "$made/$language" >/dev/null
  cp "$made/$language/contract.wasm" templates/$language.wasm
done
rm -r "$made"
