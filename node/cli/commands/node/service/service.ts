// parley service: a node, or a signer, that the system starts by itself.
import { existsSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { Command } from "commander";
import envPaths from "env-paths";
import { PACKAGE_ROOT } from "#node/config/build-info.ts";
import { defaultDataDir } from "#node/config/files/default-data-dir.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { report } from "../../../session/client-session.ts";
import { withExamples } from "../../../session/examples.ts";
import type { CommandContext } from "../../../session/terminal.ts";
import { addNodeCommand } from "../node.ts";
import { type FoundFile, findFile, type RunProgram, removeService, runAll, runEach, runProgram, writeService } from "./service-control.ts";
import type { ServiceProgram } from "./service-files.ts";
import { type ServiceMachine, type ServicePlace, servicePlace } from "./service-place.ts";

/** What the commands run on; tests bring their own. */
export interface ServiceHost {
  readonly machine: ServiceMachine;
  /** Runtime and entry of this program. */
  readonly program: readonly string[];
  readonly run: RunProgram;
}

interface PlaceOptions {
  readonly name?: string;
  readonly system?: boolean;
  readonly runAs?: string;
  readonly json?: boolean;
}

interface InstallOptions extends PlaceOptions {
  readonly dataDir?: string;
  readonly signer?: string;
  readonly start?: boolean;
  readonly replace?: boolean;
}

/** Names of services that are given none. */
const NAMES = { node: "parley", signer: "parley-signer" } as const;
const NO_PROGRAM = { role: "node", command: [] } as const;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const ACCOUNT = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;
const HAS_CONTROLS = /\p{Cc}/u;

/** Adds the commands. */
export function addServiceCommands(program: Command, context: CommandContext): void {
  addServiceCommandsOn(program, context, thisHost());
}

/** The commands on a host. */
export function addServiceCommandsOn(program: Command, context: CommandContext, host: ServiceHost): void {
  const service = program.command("service").description("let the system start a node by itself");
  const install = withPlaceOptions(service.command("install").description("write the service, and print what was written"))
    .option("--data-dir <dir>", `data folder of the node (default ${defaultDataDir()})`)
    .option("--signer <dir>", "a signer with this folder, in place of a node; its flags stand behind --")
    .option("--start", "start it now, and with every login or start of the machine")
    .option("--replace", "replace a service of this name that was written with other options")
    .argument("[flags...]", "further flags of parley node, or of parley signer, behind --");
  withExamples(install, "service install --data-dir data --start", "service install --name parley-test").action(
    (flags: readonly string[], options: InstallOptions) => installService(context, host, flags, options),
  );
  const uninstall = withPlaceOptions(service.command("uninstall").description("stop the service and remove it; the data folder stays"));
  withExamples(uninstall, "service uninstall").action((options: PlaceOptions) => uninstallService(context, host, options));
  const status = withPlaceOptions(service.command("status").description("print whether it is installed and runs"));
  withExamples(status, "service status --json").action((options: PlaceOptions) => showStatus(context, host, options));
}

function withPlaceOptions(command: Command): Command {
  return command
    .option("--name <name>", `name of the service (default ${NAMES.node}, of a signer ${NAMES.signer})`)
    .option("--system", "for the whole machine instead of this user; needs root")
    .option("--run-as <account>", "with --system: account that the node runs as")
    .option("--json", "print the result as JSON");
}

async function installService(
  context: CommandContext,
  host: ServiceHost,
  flags: readonly string[],
  options: InstallOptions,
): Promise<void> {
  const command = [...host.program, ...(await wordsOf(context, flags, options))];
  if (command.some((word) => HAS_CONTROLS.test(word)))
    throw new CodedError("CONFIG_INVALID", "A path or flag has a line break or another control character in it");
  const place = placeOf(host, options, { role: options.signer === undefined ? "node" : "signer", command });
  const found = findReplaceable(place, options);
  // A node with the earlier options would go on, and the system call that enough. What does not run cannot be stopped.
  if (found === "other" && options.start === true) await runEach(place.stop, host.run);
  if (found !== "same") writeService(place, found === "other");
  const failed = options.start === true ? await runAll(place.start, host.run) : undefined;
  const isStarted = options.start === true && failed === undefined;
  const result = { status: found === "same" ? "unchanged" : "written", kind: place.kind, file: place.file, command, started: isStarted };
  report(context, options, result, [
    `${found === "same" ? "Unchanged" : "Wrote"}: ${place.file} (${place.kind})`,
    `Starts:  ${command.join(" ")}`,
    ...(isStarted
      ? ["It runs now, and is started again by itself."]
      : ["To start it:", ...place.start.map((words) => `  ${words.join(" ")}`)]),
    ...(place.hint === undefined ? [] : [place.hint]),
  ]);
  if (failed !== undefined)
    throw new CodedError("UPSTREAM_FAILED", `The service was written and not started: "${failed.join(" ")}" failed`);
}

/** Words of the command line that the service is. @throws CodedError CONFIG_INVALID where it would not start. */
async function wordsOf(context: CommandContext, flags: readonly string[], options: InstallOptions): Promise<readonly string[]> {
  if (options.signer === undefined) {
    const dataDir = dataDirOf(options);
    await checkFlags(context, dataDir, flags);
    return ["node", "--data-dir", dataDir, ...flags];
  }
  if (options.dataDir !== undefined)
    throw new CodedError("CONFIG_INVALID", "A service is a node with --data-dir or a signer with --signer");
  const dir = resolve(options.signer);
  const { checkSignerFlags } = await import("./signer-flags.ts");
  await checkSignerFlags(context, dir, flags);
  return ["signer", "--dir", dir, ...flags];
}

function dataDirOf({ dataDir, system }: InstallOptions): string {
  if (system === true && dataDir === undefined)
    throw new CodedError("CONFIG_INVALID", "Give --data-dir with --system: the default is the folder of who installs, not of the account");
  return resolve(dataDir ?? defaultDataDir());
}

/** What is at the place. @throws CodedError CONFIG_INVALID where it must stay. */
function findReplaceable(place: ServicePlace, { replace }: InstallOptions): Exclude<FoundFile, "foreign"> {
  const found = findFile(place);
  if (found === "foreign") throw new CodedError("CONFIG_INVALID", `${place.file} is there and not of Parley: choose another --name`);
  if (found === "other" && replace !== true)
    throw new CodedError("CONFIG_INVALID", `${place.file} was written with other options: --replace replaces it`);
  const hidden = found === "none" ? place.hides.find((file) => existsSync(file)) : undefined;
  if (hidden !== undefined) throw new CodedError("CONFIG_INVALID", `${hidden} is a service of this name already: choose another --name`);
  return found;
}

async function uninstallService(context: CommandContext, host: ServiceHost, options: PlaceOptions): Promise<void> {
  const place = placeOf(host, options, NO_PROGRAM);
  const found = findFile(place);
  if (found === "foreign") throw new CodedError("CONFIG_INVALID", `${place.file} is not of Parley: it stays`);
  if (found === "none")
    throw new CodedError("NOT_FOUND", `There is no service ${options.name ?? NAMES.node}: ${place.file} does not exist`);
  // What does not run cannot be stopped; the file goes in any case.
  const failed = await runEach(place.stop, host.run);
  removeService(place);
  await runEach(place.gone, host.run);
  if (failed !== undefined) context.terminal.err(`"${failed.join(" ")}" failed: where the node still runs, it does so until it is stopped`);
  report(context, options, { status: "removed", file: place.file }, [`Removed: ${place.file}`, "The data folder of the node stays."]);
}

async function showStatus(context: CommandContext, host: ServiceHost, options: PlaceOptions): Promise<void> {
  const place = placeOf(host, options, NO_PROGRAM);
  const found = findFile(place);
  const isInstalled = found === "same" || found === "other";
  const isRunning = isInstalled && (await host.run(place.status)) === 0;
  const state = isRunning ? "running" : "not running";
  report(context, options, { installed: isInstalled, running: isRunning, kind: place.kind, file: place.file }, [
    isInstalled ? `${options.name ?? NAMES.node} is installed and ${state}` : `${options.name ?? NAMES.node} is not installed`,
    `${place.kind}: ${place.file}`,
  ]);
}

function placeOf(
  { machine }: ServiceHost,
  { name: given, system = false, runAs }: PlaceOptions,
  program: Required<Pick<ServiceProgram, "role" | "command">>,
): ServicePlace {
  const name = given ?? NAMES[program.role];
  if (!NAME.test(name)) throw new CodedError("CONFIG_INVALID", `--name is "${name}": use letters, digits, and . _ - inside`);
  if (runAs !== undefined && !system) throw new CodedError("CONFIG_INVALID", "--run-as is for --system: a service of yours runs as you");
  const account = runAs ?? machine.user;
  if (system && !ACCOUNT.test(account)) throw new CodedError("CONFIG_INVALID", `--run-as is "${account}": that is no name of an account`);
  if (system && account === "root")
    throw new CodedError("CONFIG_INVALID", "A node needs no rights of root: name an account of its own with --run-as");
  return servicePlace({ ...program, name, ...(system ? { account } : {}) }, machine);
}

/** A service that could not start would be noticed by no one: its flags and its network are checked as `parley node` does. */
async function checkFlags(context: CommandContext, dataDir: string, flags: readonly string[]): Promise<void> {
  const probe = new Command("parley").exitOverride().configureOutput({ writeErr: (text) => context.terminal.err(text.trimEnd()) });
  // The system starts it without the variables that are set here.
  const bare = { ...context, environment: { isLaunched: false } };
  addNodeCommand(probe, bare, async (config) => {
    if (config.dataDir !== dataDir) throw new CodedError("CONFIG_INVALID", "Give --data-dir to service install itself, before --");
    const isRelative = config.genesisPath !== undefined && genesisOf(flags).some((path) => !isAbsolute(path));
    if (isRelative) throw new CodedError("CONFIG_INVALID", "The service starts in another folder: give --genesis with its whole path");
    const isComplete = existsSync(join(dataDir, "genesis.json")) || config.isDevelopment || config.genesisPath !== undefined;
    if (!isComplete && config.joinUrl === undefined)
      throw new CodedError("CONFIG_INVALID", `${dataDir} has no network yet: give the node --genesis or --dev behind --, or start it once`);
    await Promise.resolve();
  });
  await probe.parseAsync(["node", "--data-dir", dataDir, ...flags], { from: "user" });
}

/** What the flags name as the genesis file, however it is written. */
function genesisOf(flags: readonly string[]): readonly string[] {
  const option = "--genesis";
  return flags.flatMap((word, at) => {
    if (word === option) return [flags[at + 1] ?? ""];
    return word.startsWith(`${option}=`) ? [word.slice(option.length + 1)] : [];
  });
}

function thisHost(): ServiceHost {
  return {
    machine: {
      platform: process.platform,
      home: homedir(),
      user: userInfo().username,
      systemdFolder: join(envPaths("systemd", { suffix: "" }).config, "user"),
      // Beside the data, which has a folder of its own in it.
      windowsFolder: dirname(defaultDataDir()),
    },
    program: [process.execPath, join(PACKAGE_ROOT, "node", "parley.mjs")],
    run: runProgram,
  };
}
