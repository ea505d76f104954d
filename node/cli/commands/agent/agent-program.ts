// Starts the agent's program (agent/main.ts) with the terminal of this one, and ends with it. What it is asked is its only argument.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CodedError } from "#shared/errors/coded-error.ts";

/** Resolves with the exit code. @throws CodedError CONFIG_INVALID where the program is not installed */
export async function runAgentProgram(request: object): Promise<number> {
  const name = import.meta.url.endsWith(".ts") ? "main.ts" : "main.mjs";
  const program = fileURLToPath(new URL(`../../../../agent/${name}`, import.meta.url));
  if (!existsSync(program)) throw new CodedError("CONFIG_INVALID", "The agent is not part of this package: run it from the checkout");
  // The channel ends with this process, however it ends: then the agent ends too.
  const child = spawn(process.execPath, [program, JSON.stringify(request)], { stdio: ["inherit", "inherit", "inherit", "ipc"] });
  const stops = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal) => {
    const pass = (): void => void child.kill("SIGTERM");
    process.on(signal, pass);
    return (): void => void process.off(signal, pass);
  });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.on("error", reject).on("exit", (code) => resolve(code ?? 1));
  try {
    return await promise;
  } finally {
    for (const stop of stops) stop();
  }
}
