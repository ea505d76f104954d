// Where each system looks for a service, and with which commands it takes one up and lets one go. Pure.
import { posix, win32 } from "node:path";
import { CodedError } from "#shared/errors/coded-error.ts";
import { launchdPlist, type ServiceProgram, systemdUnit, WINDOWS_EXPANDS, windowsTask } from "./service-files.ts";

/** Where units come from that one of the whole system, or one of a user, goes before. */
const SYSTEM_UNITS = ["/run/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"];
const USER_UNITS = ["/etc/systemd/user", "/run/systemd/user", "/usr/local/lib/systemd/user", "/usr/lib/systemd/user", "/lib/systemd/user"];
const LAUNCHD_FOLDERS = [
  "/Library/LaunchAgents",
  "/Library/LaunchDaemons",
  "/System/Library/LaunchAgents",
  "/System/Library/LaunchDaemons",
];
/** Folder of the scheduled tasks. */
const TASK_FOLDER = "Parley";

/** What is known of the machine. */
export interface ServiceMachine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** Name of the user that runs this program. */
  readonly user: string;
  /** Folder of systemd's units of this user. */
  readonly systemdFolder: string;
  /** Folder of what Parley stores for this user on Windows. */
  readonly windowsFolder: string;
}

/** A service of one machine. */
export interface ServicePlace {
  readonly file: string;
  /** Words that systems of this kind call it by. */
  readonly kind: "systemd user unit" | "systemd system unit" | "launchd agent" | "launchd daemon" | "scheduled task";
  /** Bytes of the file. */
  readonly content: Uint8Array;
  /** Commands that take the file up and start the node, one after the other. */
  readonly start: readonly (readonly string[])[];
  /** Commands that stop the node and let the file go; each is run, whatever became of the one before. */
  readonly stop: readonly (readonly string[])[];
  /** Commands that say to the system that the file is gone. */
  readonly gone: readonly (readonly string[])[];
  /** Files of others that a service of this name would stand before. */
  readonly hides: readonly string[];
  /** Command whose exit code 0 says that the node runs, or that the system knows the service. */
  readonly status: readonly string[];
  /** What else a person may want to do. */
  readonly hint?: string;
}

/** Place and content of a service. @throws CodedError CONFIG_INVALID where the system has none of that kind. */
export function servicePlace(program: ServiceProgram, machine: ServiceMachine): ServicePlace {
  switch (machine.platform) {
    case "linux":
      return systemdPlace(program, machine);
    case "darwin":
      return launchdPlace(program, machine);
    case "win32":
      return windowsPlace(program, machine);
    default:
      throw new CodedError("CONFIG_INVALID", `There is no service for ${machine.platform}: start "parley node" with what your system has`);
  }
}

function systemdPlace(program: ServiceProgram, { systemdFolder, user }: ServiceMachine): ServicePlace {
  const [path = ""] = program.command;
  if (/["'\\]/.test(path))
    throw new CodedError("CONFIG_INVALID", `systemd starts no program whose path has quotation marks or backslashes in it: ${path}`);
  const isSystem = program.account !== undefined;
  const unit = `${program.name}.service`;
  const systemctl = isSystem ? ["systemctl"] : ["systemctl", "--user"];
  const folder = isSystem ? "/etc/systemd/system" : systemdFolder;
  return {
    file: posix.join(folder, unit),
    kind: isSystem ? "systemd system unit" : "systemd user unit",
    content: Buffer.from(systemdUnit(program)),
    start: [
      [...systemctl, "daemon-reload"],
      [...systemctl, "enable", "--now", unit],
    ],
    stop: [[...systemctl, "disable", "--now", unit]],
    gone: [[...systemctl, "daemon-reload"]],
    hides: [isSystem ? SYSTEM_UNITS : USER_UNITS].flat().map((place) => posix.join(place, unit)),
    status: [...systemctl, "is-active", "--quiet", unit],
    ...(isSystem ? {} : { hint: `To run it while you are not logged in: loginctl enable-linger ${user}` }),
  };
}

function launchdPlace(program: ServiceProgram, { home }: ServiceMachine): ServicePlace {
  const isSystem = program.account !== undefined;
  const folder = isSystem ? "/Library/LaunchDaemons" : posix.join(home, "Library/LaunchAgents");
  const logFile = isSystem ? `/Library/Logs/${program.name}.log` : posix.join(home, "Library/Logs", `${program.name}.log`);
  const file = posix.join(folder, `${program.name}.plist`);
  return {
    file,
    kind: isSystem ? "launchd daemon" : "launchd agent",
    content: Buffer.from(launchdPlist(program, logFile)),
    start: [["launchctl", "load", "-w", file]],
    stop: [["launchctl", "unload", "-w", file]],
    gone: [],
    hides: [...LAUNCHD_FOLDERS, posix.join(home, "Library/LaunchAgents")]
      .filter((place) => place !== folder)
      .map((place) => posix.join(place, `${program.name}.plist`)),
    status: ["launchctl", "list", program.name],
    hint: `Its log is ${logFile}`,
  };
}

function windowsPlace(program: ServiceProgram, { windowsFolder, user }: ServiceMachine): ServicePlace {
  if (program.account !== undefined)
    throw new CodedError("CONFIG_INVALID", "On Windows the node runs as a task of its user: leave --system out");
  if (program.command.some((word) => WINDOWS_EXPANDS.test(word)))
    throw new CodedError("CONFIG_INVALID", "Task Scheduler would put values into %…% and $(…) of a path or flag: choose others");
  const file = win32.join(windowsFolder, `${program.name}-task.xml`);
  // In a folder of its own: /F replaces and removes whatever has the name.
  const task = `${TASK_FOLDER}\\${program.name}`;
  return {
    file,
    kind: "scheduled task",
    // Task Scheduler reads the encoding that the file declares.
    content: Buffer.from(`\uFEFF${windowsTask(program, user).replaceAll("\n", "\r\n")}`, "utf16le"),
    start: [
      ["schtasks", "/Create", "/F", "/TN", task, "/XML", file],
      ["schtasks", "/Run", "/TN", task],
    ],
    stop: [
      ["schtasks", "/End", "/TN", task],
      ["schtasks", "/Delete", "/F", "/TN", task],
    ],
    gone: [],
    hides: [],
    status: ["schtasks", "/Query", "/TN", task],
  };
}
