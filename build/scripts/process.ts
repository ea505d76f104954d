// Running a program to its end, for the build and test scripts.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Root folder of the project. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Runs a script of node_modules under this runtime and returns its exit code. */
export function runNode(script: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
  return run(process.execPath, [script, ...args], env);
}

/** Runs a program with inherited output and returns its exit code. */
export function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...env } });
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}
