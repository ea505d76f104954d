// What distinguishes this computer from others, as a hash: the system's own id, which a copied folder does not bring along.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { promisify } from "node:util";

const WINDOWS_KEY = "HKLM\\SOFTWARE\\Microsoft\\Cryptography";

/** Where the id comes from. */
export interface MachineSources {
  readonly readText: (path: string) => Promise<string>;
  /** Standard output of a program. */
  readonly run: (program: string, args: readonly string[]) => Promise<string>;
  readonly hostname: () => string;
}

const SYSTEM: MachineSources = {
  readText: (path) => readFile(path, "utf8"),
  run: async (program, args) => (await promisify(execFile)(program, [...args], { timeout: 5_000 })).stdout,
  hostname,
};

/** Hash of the machine's id; where the system has none, of its name. */
export async function machineId(platform: NodeJS.Platform, sources: MachineSources = SYSTEM): Promise<string> {
  const id = await systemId(platform, sources).catch(() => undefined);
  return createHash("sha256")
    .update(`parley machine\0${id ?? sources.hostname()}`)
    .digest("hex");
}

async function systemId(platform: NodeJS.Platform, { readText, run }: MachineSources): Promise<string | undefined> {
  if (platform === "darwin") return match(/"IOPlatformUUID" = "([^"]+)"/, await run("ioreg", ["-rd1", "-c", "IOPlatformExpertDevice"]));
  if (platform === "win32") return match(/MachineGuid\s+REG_SZ\s+(\S+)/, await run("reg", ["query", WINDOWS_KEY, "/v", "MachineGuid"]));
  return match(/^([0-9a-f]{32})\s*$/, await readText("/etc/machine-id").catch(() => readText("/var/lib/dbus/machine-id")));
}

function match(pattern: RegExp, text: string): string | undefined {
  return pattern.exec(text)?.[1];
}
