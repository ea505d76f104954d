// Where each system looks for a service, and with which commands it takes one up and lets one go. Pure.
import { posix, win32 } from "node:path";
import { CodedError } from "#shared/errors/coded-error.ts";
import { launchdPlist, type ServiceProgram, systemdUnit, windowsTask } from "./service-files.ts";

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
  /** Commands that stop the node and let the file go. */
  readonly stop: readonly (readonly string[])[];
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
    status: ["launchctl", "list", program.name],
    hint: `Its log is ${logFile}`,
  };
}

function windowsPlace(program: ServiceProgram, { windowsFolder, user }: ServiceMachine): ServicePlace {
  if (program.account !== undefined)
    throw new CodedError("CONFIG_INVALID", "On Windows the node runs as a task of its user: leave --system out");
  const file = win32.join(windowsFolder, `${program.name}-task.xml`);
  return {
    file,
    kind: "scheduled task",
    // Task Scheduler reads the encoding that the file declares.
    content: Buffer.from(`\uFEFF${windowsTask(program, user).replaceAll("\n", "\r\n")}`, "utf16le"),
    start: [
      ["schtasks", "/Create", "/F", "/TN", program.name, "/XML", file],
      ["schtasks", "/Run", "/TN", program.name],
    ],
    stop: [
      ["schtasks", "/End", "/TN", program.name],
      ["schtasks", "/Delete", "/F", "/TN", program.name],
    ],
    status: ["schtasks", "/Query", "/TN", program.name],
  };
}
