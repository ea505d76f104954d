// The only module that reads the process's environment variables. Everything else gets the result as an argument.
import { CodedError } from "#shared/errors/coded-error.ts";

/** Whether deleting from a mailbox needs a proof of the recipient's key (`proof`) or not (`open`). */
export type InboxAuth = "proof" | "open";

/** What is open without a token or secret: everything that the token does not guard, or the public chain alone. */
export type OpenPart = "all" | "chain";

/** What the environment says; a variable that is unset or empty is left out. */
export interface Environment {
  readonly apiToken?: string;
  readonly apiPrivate?: boolean;
  readonly disableUi?: boolean;
  readonly disableSwagger?: boolean;
  readonly allowedOrigins?: readonly string[];
  readonly allowedHosts?: readonly string[];
  readonly rateLimitLoopback?: boolean;
  readonly inboxAuth?: InboxAuth;
  readonly openPart?: OpenPart;
  readonly trustedProxies?: readonly string[];
  /** Address of the latest release. */
  readonly updateUrl?: string;
  /** Where the validator's signer is, whose key it has, and its fingerprint. */
  readonly signer?: string;
  readonly signerKey?: string;
  readonly signerPin?: string;
  /** Password of the key file that a client command opens. */
  readonly keyPassword?: string;
  /** Folder with the credentials that systemd gives a service. */
  readonly credentialsDir?: string;
  /** Folder of the session for sockets. */
  readonly runtimeDir?: string;
  /** The program that starts the node names the accounts of its person, over its channel. */
  readonly awaitsOwn?: boolean;
  /** True when a launcher started the process and its going away means to stop. */
  readonly isLaunched: boolean;
}

/** Variables by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Reads the variables. @throws CodedError CONFIG_INVALID naming the one that is wrong. */
export function readEnvironment(variables: Variables = process.env): Environment {
  const environment: { -readonly [K in keyof Environment]: Environment[K] | undefined } = {
    apiToken: text(variables, "SVC_API_TOKEN"),
    apiPrivate: flag(variables, "SVC_API_PRIVATE"),
    disableUi: flag(variables, "SVC_DISABLE_UI"),
    disableSwagger: flag(variables, "SVC_DISABLE_SWAGGER"),
    allowedOrigins: list(variables, "SVC_ALLOWED_ORIGINS"),
    allowedHosts: list(variables, "SVC_ALLOWED_HOSTS"),
    rateLimitLoopback: flag(variables, "SVC_RATE_LIMIT_LOOPBACK"),
    inboxAuth: choice(variables, "SVC_INBOX_AUTH", ["proof", "open"] as const),
    openPart: choice(variables, "SVC_API_OPEN", ["all", "chain"] as const),
    trustedProxies: list(variables, "SVC_TRUSTED_PROXIES"),
    updateUrl: text(variables, "SVC_UPDATE_URL"),
    signer: text(variables, "SVC_SIGNER"),
    signerKey: text(variables, "SVC_SIGNER_KEY"),
    signerPin: text(variables, "SVC_SIGNER_PIN"),
    keyPassword: text(variables, "PARLEY_KEY_PASSWORD"),
    credentialsDir: text(variables, "CREDENTIALS_DIRECTORY"),
    runtimeDir: text(variables, "XDG_RUNTIME_DIR"),
    awaitsOwn: flag(variables, "SVC_OWN_FROM_PARENT"),
    isLaunched: variables.PARLEY_LAUNCHED === "1",
  };
  const present = Object.entries(environment).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as unknown as Environment;
}

/** What a process needs of the environment that runs foreign code. Secrets are not among it. */
const BARE = ["PATH", "SystemRoot", "TEMP", "TMP", "TMPDIR", "NODE_COMPILE_CACHE"] as const;

/** The environment of a process that must know nothing. */
export function bareEnvironment(variables: Variables = process.env): Record<string, string> {
  return Object.fromEntries(
    BARE.flatMap((name) => {
      const value = variables[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function text(variables: Variables, name: string): string | undefined {
  const value = variables[name];
  return value === undefined || value === "" ? undefined : value;
}

const TRUE_WORDS: ReadonlySet<string> = new Set(["true", "yes", "on", "1"]);
const FALSE_WORDS: ReadonlySet<string> = new Set(["false", "no", "off", "0"]);

function flag(variables: Variables, name: string): boolean | undefined {
  const value = text(variables, name)?.trim().toLowerCase();
  if (value === undefined) return undefined;
  if (TRUE_WORDS.has(value)) return true;
  if (FALSE_WORDS.has(value)) return false;
  throw new CodedError("CONFIG_INVALID", `${name} is "${variables[name]}": write true or false (yes, no, on, off, 1 and 0 mean the same)`);
}

function list(variables: Variables, name: string): readonly string[] | undefined {
  const items = text(variables, name)
    ?.split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
  return items;
}

function choice<T extends string>(variables: Variables, name: string, choices: readonly T[]): T | undefined {
  const value = text(variables, name);
  const found = choices.find((known) => known === value);
  if (value === undefined || found !== undefined) return found;
  throw new CodedError("CONFIG_INVALID", `${name} is "${value}": write ${choices.join(" or ")}`);
}
