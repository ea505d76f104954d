// What the app takes from its arguments. A link can add some: a launcher passes the link on, spaces and all. So a
// packaged app takes a link, `--hidden` and nothing else; flags of the node are for those who run the sources.

/** Arguments for the node follow this one. */
const NODE_FLAGS_AFTER = "--";

/**
 * Switches of Chromium that would open the app to others or run other programs: a debugger, commands in front of its processes, ways
 * around its network and its policies.
 */
export const REFUSED_SWITCHES: readonly string[] = [
  ...["allow-file-access-from-files", "allow-running-insecure-content", "unsafely-treat-insecure-origin-as-secure"],
  ...["features", "site-isolation-trials", "web-security"].map((protection) => `disable-${protection}`),
  ...["errors", "errors-spki-list"].map((found) => `ignore-certificate-${found}`),
  ...["enable-logging", "log-file", "log-net-log", "ssl-key-log-file"],
  ...["browser-subprocess-path", "gpu-launcher", "ppapi-plugin-launcher", "load-extension"],
  ...["renderer", "utility", "zygote"].map((process) => `${process}-cmd-prefix`),
  ...["explicitly-allowed-ports", "host-resolver-rules", "host-rules", "proxy-pac-url", "proxy-server"],
  ...["inspect", "inspect-brk", "inspect-port", "js-flags"],
  ...["remote-allow-origins", "remote-debugging-address", "remote-debugging-pipe", "remote-debugging-port"],
];

/** Flags for the node: what follows `--`, and nothing once the app is packaged. */
export function flagsForNode(argv: readonly string[], isPackaged: boolean): readonly string[] {
  const start = argv.indexOf(NODE_FLAGS_AFTER);
  return isPackaged || start === -1 ? [] : argv.slice(start + 1);
}

/** Takes refused switches back, before Chromium acts on them. */
export function refuseSwitches(commandLine: { removeSwitch(name: string): void }, isPackaged: boolean): void {
  if (isPackaged) for (const name of REFUSED_SWITCHES) commandLine.removeSwitch(name);
}
