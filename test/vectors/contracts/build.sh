#!/bin/sh
# Rebuilds vault.wasm from vault.c. Needs clang and lld with the wasm32 target (Debian: apt-get install clang lld).
set -eu
cd "$(dirname "$0")"
clang --target=wasm32 -O2 -Wall -Wextra -Werror -ffreestanding -nostdlib \
  -Wl,--no-entry -Wl,--strip-all -Wl,--initial-memory=131072 -Wl,-z,stack-size=32768 -o vault.wasm vault.c
