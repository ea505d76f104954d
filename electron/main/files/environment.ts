// Environment that the node's process gets: a short list of names, nothing else of the shell's environment.

const NAMES = ["HOME", "PATH", "LANG", "XDG_DATA_HOME", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "SystemRoot", "TMPDIR", "TEMP"];

/** The listed variables of this process that are set. */
export function nodeEnvironment(environment: Readonly<Record<string, string | undefined>> = process.env): Record<string, string> {
  const entries = NAMES.flatMap((name): [string, string][] => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}
