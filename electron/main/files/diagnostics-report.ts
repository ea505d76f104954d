// The text a person can copy into a report: what runs, how it is, what the logs said last. No keys, addresses, messages or names.
import type { DesktopSettings } from "#shared/desktop/desktop-settings.ts";
import type { NodeHostState } from "../processes/node-host.ts";

export interface DiagnosticsInput {
  readonly versions: Readonly<Record<string, string>>;
  readonly platform: string;
  readonly uptimeMs: number;
  readonly node: NodeHostState;
  readonly restarts: number;
  readonly settings: DesktopSettings;
  /** Undefined where it could not be read. */
  readonly freeBytes: number | undefined;
  /** Process names with their working sets, KiB. */
  readonly processes: readonly { readonly name: string; readonly memoryKib: number }[];
  readonly logLines: readonly string[];
}

const SECOND_MS = 1000;
const MIB = 1024 * 1024;
/** Keys, addresses and hashes. */
const NAMES_OF_PEOPLE = /\b(?:pl1[02-9ac-hj-np-z]{40,}|[0-9a-f]{64,128})\b/gi;
const HOME_FOLDERS = /(\/(?:home|Users)\/|[A-Z]:\\Users\\)[^/\\\s"']+/g;

export function diagnosticsReport(input: DiagnosticsInput): string {
  const { node, settings } = input;
  const lines = [
    ...Object.entries(input.versions).map(([name, version]) => `${name}: ${version}`),
    `platform: ${input.platform}`,
    `running for: ${Math.round(input.uptimeMs / SECOND_MS)} s`,
    `node: ${nodeLine(node)}, ${input.restarts} unexpected restarts`,
    `node mode: ${settings.nodeMode}, port ${settings.apiPort ?? "free"}, data folder ${settings.dataFolder === null ? "default" : "chosen"}`,
    `free disk space: ${input.freeBytes === undefined ? "unknown" : `${Math.round(input.freeBytes / MIB)} MiB`}`,
    ...input.processes.map(({ name, memoryKib }) => `memory of ${name}: ${Math.round(memoryKib / 1024)} MiB`),
    "",
    "last lines of the log:",
    ...input.logLines,
  ];
  return lines.join("\n").replace(NAMES_OF_PEOPLE, "‹key›").replace(HOME_FOLDERS, "$1‹user›");
}

function nodeLine(state: NodeHostState): string {
  if (state.kind === "ready") return `ready on port ${state.port}`;
  return "exitCode" in state ? `${state.kind}, exit code ${state.exitCode ?? "none"}` : state.kind;
}
