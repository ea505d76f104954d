// Environment that processes of the shell get: short lists of names, nothing else of the shell's environment.

type Environment = Readonly<Record<string, string | undefined>>;

const NODE_NAMES = ["HOME", "PATH", "LANG", "XDG_DATA_HOME", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "SystemRoot", "TMPDIR", "TEMP"];
/** Where temporary files are, on each system. */
const GATEWAY_NAMES = ["TMPDIR", "TEMP", "TMP", "SystemRoot"];

/** Variables of this process that the node gets, where they are set. */
export function nodeEnvironment(environment: Environment = process.env): Record<string, string> {
  return listed(NODE_NAMES, environment);
}

/** The same for the gateway. */
export function gatewayEnvironment(environment: Environment = process.env): Record<string, string> {
  return listed(GATEWAY_NAMES, environment);
}

/** Folder of the person's session, where the system has one. */
export function sessionFolder(environment: Environment = process.env): string | undefined {
  return environment.XDG_RUNTIME_DIR;
}

function listed(names: readonly string[], environment: Environment): Record<string, string> {
  const entries = names.flatMap((name): [string, string][] => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}
