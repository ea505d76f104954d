// Where Parley leaves endpoint.json and where a program keeps its token, unless the program or its environment says otherwise.
import { homedir } from "node:os";
import { join } from "node:path";

/** What the places depend on. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** Variables of the environment that name folders, and those of this module. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Name of the file in a profile or data folder. */
const ENDPOINT_FILE = "endpoint.json";
const TOKENS_FOLDER = "parley-apps";

/** Those of this process. */
export function surroundings(): Surroundings {
  // biome-ignore lint/style/noProcessEnv: a program on a server is configured by its environment
  return { platform: process.platform, home: homedir(), variables: process.env };
}

/** Files to look at, in this order: what the program names, `PARLEY_ENDPOINT`, the app's profile, the data folder of `parley agent`. */
export function endpointFiles(given: string | undefined, around: Surroundings = surroundings()): readonly string[] {
  const named = given ?? textOf(around, "PARLEY_ENDPOINT");
  if (named !== undefined) return [named.endsWith(".json") ? named : join(named, ENDPOINT_FILE)];
  return [configFolder(around, "Parley"), dataFolder(around, "parley-agent"), dataFolder(around, "parley")].map((folder) =>
    join(folder, ENDPOINT_FILE),
  );
}

/** File of a program's token: what it names, `PARLEY_TOKEN_FILE`, or one by its name in a folder of this user. */
export function tokenFileOf(name: string, given: string | undefined, around: Surroundings = surroundings()): string {
  const named = given ?? textOf(around, "PARLEY_TOKEN_FILE");
  return named ?? join(configFolder(around, TOKENS_FOLDER), `${encodeURIComponent(name)}.token`);
}

/** As Electron places profiles: beside the settings of other programs. */
function configFolder(around: Surroundings, name: string): string {
  const { platform, home } = around;
  if (platform === "darwin") return join(home, "Library", "Application Support", name);
  if (platform === "win32") return join(textOf(around, "APPDATA") ?? join(home, "AppData", "Roaming"), name);
  return join(textOf(around, "XDG_CONFIG_HOME") ?? join(home, ".config"), name);
}

function dataFolder(around: Surroundings, name: string): string {
  const { platform, home } = around;
  if (platform === "darwin") return join(home, "Library", "Application Support", name);
  if (platform === "win32") return join(textOf(around, "LOCALAPPDATA") ?? join(home, "AppData", "Local"), name, "Data");
  return join(textOf(around, "XDG_DATA_HOME") ?? join(home, ".local", "share"), name);
}

function textOf({ variables }: Surroundings, name: string): string | undefined {
  const value = variables[name];
  return value === undefined || value === "" ? undefined : value;
}
