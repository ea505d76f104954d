#!/usr/bin/env node
// Package bin. Plain JavaScript for any Node: under an old one it starts the program with the pinned runtime, or says what is missing.
// Imports by relative path, so that it runs where no package.json maps names.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findRuntime, isAtLeast, RUNTIME_MAJOR } from "../build/scripts/runtime.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
/** The sources of a checkout, or what a package has in their place. */
const main = ["main.ts", "main.mjs"].map((name) => join(root, "node", name)).find((path) => existsSync(path));
/** Compiled code of earlier runs: a command starts in a third of the time with it. A folder that cannot be written is no failure. */
const compileCache = process.env.NODE_COMPILE_CACHE ?? join(root, "node_modules", ".cache", "compile");

if (isAtLeast(process.versions.node, RUNTIME_MAJOR)) {
  module.enableCompileCache?.(compileCache);
  await import(pathToFileURL(main).href);
} else {
  const runtime = findRuntime(root);
  if (runtime === undefined) {
    process.stderr.write(
      `Parley runs on Node ${RUNTIME_MAJOR} or newer, and this is Node ${process.versions.node}: install Node ${RUNTIME_MAJOR} and run the command again.\n`,
    );
    process.exit(1);
  }
  runUnder(runtime);
}

function runUnder(runtime) {
  const child = spawn(runtime, [main, ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env, PARLEY_LAUNCHED: "1" },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`The runtime ${runtime} cannot be started: ${error.message}\n`);
    process.exit(1);
  });
  child.on("exit", (code) => process.exit(code ?? 1));
}
