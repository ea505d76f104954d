#!/bin/sh
# Rebuilds the modules from their sources. Needs clang and lld with the wasm32 target (Debian: apt-get install clang lld).
set -eu
cd "$(dirname "$0")"
for name in vault kernels; do
  clang --target=wasm32 -O2 -Wall -Wextra -Werror -ffreestanding -nostdlib \
    -Wl,--no-entry -Wl,--strip-all -Wl,--initial-memory=196608 -Wl,--max-memory=1048576 -Wl,-z,stack-size=32768 -o $name.wasm $name.c
  chmod 644 $name.wasm
done
