// The node's configuration: defaults < DIR/config.json < environment < flags. Made once at the start and frozen.
import { isIP } from "node:net";
import { resolve } from "node:path";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Checkpoint } from "#shared/protocol/chain/checkpoint.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { HEARTBEAT_INTERVAL_S } from "#shared/protocol/primitives/limits.ts";
import type { Environment, InboxAuth, OpenPart } from "./environment.ts";
import { type ConfigFile, MAX_LIMIT, readConfigFile } from "./files/config-file.ts";
import { lightConfig } from "./light-config.ts";
import { isLoopback, type ListenAddress, parseListenAddress } from "./listen-address.ts";
import { type CallRelayConfig, type CallRelayFlags, callRelayConfig } from "./network/call-relay-config.ts";
import { networkToJoin, onOrOff, type P2pConfig, type P2pFlags, p2pConfig } from "./network/p2p-config.ts";
import { DEFAULT_HEARTBEAT_MINUTES, DEFAULT_STATS_ADDRESS } from "./node-defaults.ts";
import { PERSONAL_RETENTION, parseMailDisk, parseOwnAccounts, parseRetention, type RetentionConfig } from "./retention.ts";
import { nextSignerConfig, type SignerConfig, type SignerFlags, signerConfig } from "./signer-config.ts";

/** How a node takes part: `validator` votes, `full` follows, `light` stores headers alone and has everything else proven to it. */
export const NODE_MODES = ["full", "validator", "light"] as const;

export type NodeMode = (typeof NODE_MODES)[number];

/** A mode with a chain of its own. */
export type FullNodeMode = Exclude<NodeMode, "light">;

/** Form of the log on standard error. */
export type LogFormat = "text" | "json";

/** Who may use the HTTP interface, and how. */
export interface ApiConfig {
  /** Token for writes (and reads when private); undefined when everyone may. */
  readonly token: string | undefined;
  readonly isPrivate: boolean;
  readonly servesInterface: boolean;
  readonly servesSwagger: boolean;
  readonly allowedOrigins: readonly string[];
  readonly allowedHosts: readonly string[];
  readonly limitsLoopback: boolean;
  readonly inboxAuth: InboxAuth;
  /** Undefined: all that the token does not guard. */
  readonly openPart: OpenPart | undefined;
  /** Addresses of proxies whose X-Forwarded-For is believed; undefined for none. */
  readonly trustedProxies: readonly string[] | undefined;
  /** Limits that differ from the interface's own. */
  readonly limits: Readonly<Partial<Record<LimitName, number>>>;
}

/** Limits of the interface that can be set, under its own names for them. */
export type LimitName =
  | "requestsPerSecond"
  | "requestBurst"
  | "bodyBytes"
  | "frameBytes"
  | "subscriptions"
  | "connectionsPerAddress"
  | "tcpConnections"
  | "tcpPerAddress";

/** Everything that a node is configured with at its start. */
export interface NodeConfig {
  readonly dataDir: string;
  /** Genesis file of the network to join, for a new data folder. */
  readonly genesisPath: string | undefined;
  /** A node whose network a new data folder joins, by the address of its HTTP interface. */
  readonly joinUrl: string | undefined;
  /** True when a new data folder gets a development network of its own. */
  readonly isDevelopment: boolean;
  /** Undefined: validator when the folder's key is in the validator set, full otherwise. */
  readonly mode: NodeMode | undefined;
  /** Where a light node begins to trust, beside genesis. */
  readonly checkpoint: Checkpoint | undefined;
  /** Where the validator's key is; undefined where the node's own key votes. */
  readonly signer: SignerConfig | undefined;
  /** The signer of the key that takes over from the validator's, once the chain says so. */
  readonly nextSigner: SignerConfig | undefined;
  readonly statsAddress: ListenAddress;
  /** Undefined when the node stays alone. */
  readonly p2p: P2pConfig | undefined;
  /** Undefined when the node offers no relay of calls. */
  readonly callRelay: CallRelayConfig | undefined;
  /** Which old blocks stay; undefined: all. A light node has none. */
  readonly retain: RetentionConfig;
  /** Bytes of the envelopes that the mailbox holds; undefined: the default. */
  readonly mailDiskBytes: number | undefined;
  /** Mail goes to its keepers through carriers. */
  readonly usesCarriers: boolean;
  /** Keys of accounts whose entries stay, with proofs, when their blocks are dropped. */
  readonly own: readonly PublicKeyHex[];
  /** More of them are named by the program that starts the node; nothing is dropped before. */
  readonly awaitsOwn: boolean;
  readonly log: LogFormat;
  readonly api: ApiConfig;
  /** Address of the latest release, for the update check; undefined when there is none. */
  readonly updateUrl: string | undefined;
  /** What the node's relay asks for one message, µT; undefined when it is not announced as one. */
  readonly relayFeeUt: AmountUt | undefined;
  /** Time between two heartbeats that the node sends, ms; 0 for none. */
  readonly heartbeatMs: number;
  /** Sentences that the person who starts the node should read. */
  readonly warnings: readonly string[];
}

/** Flags of `parley node` as given; absent ones are undefined. */
export interface NodeFlags extends P2pFlags, SignerFlags, CallRelayFlags {
  readonly dataDir?: string;
  readonly genesis?: string;
  readonly dev?: boolean;
  readonly mode?: string;
  /** `height:hash`. */
  readonly checkpoint?: string;
  readonly statsAddr?: string;
  /** `all`, `<n>d` or `<n>blocks`. */
  readonly retain?: string;
  /** `<n>GiB` or `<n>MiB`. */
  readonly mailDisk?: string;
  /** `on` or `off`. */
  readonly carriers?: string;
  /** Addresses or public keys, comma-separated. */
  readonly own?: string;
  readonly log?: string;
  readonly rateLimit?: string;
  readonly rateBurst?: string;
  readonly bodyLimit?: string;
  readonly frameLimit?: string;
  readonly subscriptions?: string;
  readonly connectionsPerIp?: string;
  readonly tcpConnections?: string;
  readonly tcpPerIp?: string;
  readonly updateUrl?: string;
  /** µT. */
  readonly relayFee?: AmountUt;
  /** Minutes. */
  readonly heartbeat?: string;
}

/** Where each limit is set: flag, key of the file. */
const LIMITS = {
  requestsPerSecond: { flag: "rateLimit", key: "rate_limit", name: "--rate-limit" },
  requestBurst: { flag: "rateBurst", key: "rate_burst", name: "--rate-burst" },
  bodyBytes: { flag: "bodyLimit", key: "body_limit", name: "--body-limit" },
  frameBytes: { flag: "frameLimit", key: "frame_limit", name: "--frame-limit" },
  subscriptions: { flag: "subscriptions", key: "subscriptions", name: "--subscriptions" },
  connectionsPerAddress: { flag: "connectionsPerIp", key: "connections_per_ip", name: "--connections-per-ip" },
  tcpConnections: { flag: "tcpConnections", key: "tcp_connections", name: "--tcp-connections" },
  tcpPerAddress: { flag: "tcpPerIp", key: "tcp_per_ip", name: "--tcp-per-ip" },
} as const satisfies Record<LimitName, { readonly flag: keyof NodeFlags; readonly key: keyof ConfigFile; readonly name: string }>;

/** Where the configuration comes from. */
export interface ConfigSources {
  readonly flags: NodeFlags;
  readonly environment: Environment;
  readonly defaultDataDir: string;
}

const MIN_HEARTBEAT_MINUTES = HEARTBEAT_INTERVAL_S / 60;
/** A week. */
const MAX_HEARTBEAT_MINUTES = 10_080;

/** The configuration of all sources. @throws CodedError CONFIG_INVALID naming the flag, variable or key that is wrong. */
export function loadNodeConfig(sources: ConfigSources): NodeConfig {
  const dataDir = resolve(sources.flags.dataDir ?? sources.defaultDataDir);
  return mergeNodeConfig(sources, readConfigFile(resolve(dataDir, "config.json")));
}

/** The configuration of flags, environment and an already read file. @throws CodedError CONFIG_INVALID */
export function mergeNodeConfig({ flags, environment, defaultDataDir }: ConfigSources, file: ConfigFile): NodeConfig {
  if (flags.dev === true && flags.genesis !== undefined)
    throw new CodedError("CONFIG_INVALID", "--dev makes a network of its own and --genesis joins one: give one of them");
  const mode = choice("--mode", flags.mode, NODE_MODES) ?? file.mode;
  const p2p = p2pConfig(flags, file);
  const signer = signerConfig(flags, environment, file);
  const nextSigner = nextSignerConfig(flags, file);
  if ((signer ?? nextSigner) !== undefined && mode === "light")
    throw new CodedError("CONFIG_INVALID", "A light node does not vote: leave --signer out");
  const light = lightConfig({ isLight: mode === "light", isDevelopment: flags.dev ?? false, p2p }, flags.checkpoint, file.checkpoint);
  const statsAddress = parseListenAddress(flags.statsAddr ?? file.stats_addr ?? DEFAULT_STATS_ADDRESS);
  const api = apiConfig(environment, file, limitsOf(flags, file));
  return deepFreeze({
    dataDir: resolve(flags.dataDir ?? defaultDataDir),
    ...networkToJoin(flags.genesis),
    isDevelopment: flags.dev ?? false,
    mode,
    checkpoint: light.checkpoint,
    signer,
    nextSigner,
    statsAddress,
    p2p,
    callRelay: callRelayConfig(flags, file),
    ...keptData(flags, environment, file),
    usesCarriers: onOrOff("--carriers", flags.carriers) ?? file.carriers ?? true,
    log: choice("--log", flags.log, ["text", "json"] as const) ?? file.log ?? "text",
    api,
    updateUrl: updateUrl(flags.updateUrl ?? environment.updateUrl ?? file.update_url),
    relayFeeUt: flags.relayFee ?? file.relay_fee,
    heartbeatMs: heartbeatMinutes(flags, file) * 60_000,
    warnings: [...warningsOf(statsAddress, api, environment.apiPrivate ?? file.api_private ?? false), ...light.warnings],
  });
}

/** What the node keeps on its disk. */
function keptData(
  flags: NodeFlags,
  { awaitsOwn = false }: Environment,
  file: ConfigFile,
): Pick<NodeConfig, "retain" | "own" | "awaitsOwn" | "mailDiskBytes"> {
  return {
    retain: parseRetention(flags.retain ?? file.retain ?? (awaitsOwn ? PERSONAL_RETENTION : "all")),
    awaitsOwn,
    own: parseOwnAccounts(flags.own?.split(",") ?? file.own ?? []),
    mailDiskBytes: parseMailDisk(flags.mailDisk ?? file.mail_disk),
  };
}

function apiConfig(environment: Environment, file: ConfigFile, limits: ApiConfig["limits"]): ApiConfig {
  const token = environment.apiToken ?? file.api_token;
  return {
    token,
    isPrivate: token !== undefined && (environment.apiPrivate ?? file.api_private ?? false),
    servesInterface: !(environment.disableUi ?? file.disable_ui ?? false),
    servesSwagger: !(environment.disableSwagger ?? file.disable_swagger ?? false),
    allowedOrigins: [...(environment.allowedOrigins ?? file.allowed_origins ?? [])],
    allowedHosts: [...(environment.allowedHosts ?? file.allowed_hosts ?? [])],
    limitsLoopback: environment.rateLimitLoopback ?? file.rate_limit_loopback ?? false,
    inboxAuth: environment.inboxAuth ?? file.inbox_auth ?? "proof",
    openPart: environment.openPart ?? file.api_open,
    trustedProxies: proxyAddresses(environment.trustedProxies ?? file.trusted_proxies),
    limits,
  };
}

function proxyAddresses(addresses: readonly string[] | undefined): readonly string[] | undefined {
  const wrong = addresses?.find((address) => isIP(address) === 0);
  if (wrong !== undefined) throw new CodedError("CONFIG_INVALID", `The trusted proxy "${wrong}" is no IP address`);
  return addresses && [...addresses];
}

function heartbeatMinutes(flags: NodeFlags, file: ConfigFile): number {
  const minutes = flags.heartbeat === undefined ? (file.heartbeat_minutes ?? DEFAULT_HEARTBEAT_MINUTES) : wholeNumber(flags.heartbeat);
  if (minutes === 0 || (minutes >= MIN_HEARTBEAT_MINUTES && minutes <= MAX_HEARTBEAT_MINUTES)) return minutes;
  throw new CodedError(
    "CONFIG_INVALID",
    `The time between two heartbeats is 0 for none, or ${MIN_HEARTBEAT_MINUTES} to ${MAX_HEARTBEAT_MINUTES} minutes`,
  );
}

function wholeNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : -1;
}

function limitsOf(flags: NodeFlags, file: ConfigFile): ApiConfig["limits"] {
  const names = Object.keys(LIMITS) as LimitName[];
  const entries = names.flatMap((limit): [LimitName, number][] => {
    const { flag, key, name } = LIMITS[limit];
    const text = flags[flag];
    const value = text === undefined ? file[key] : limitOf(name, text);
    return value === undefined ? [] : [[limit, value]];
  });
  return Object.fromEntries(entries);
}

function limitOf(name: string, text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text) && Number(text) <= MAX_LIMIT) return Number(text);
  throw new CodedError("CONFIG_INVALID", `${name} is "${text}": use a whole number from 1 to ${MAX_LIMIT}`);
}

function updateUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if ((url?.protocol === "https:" || url?.protocol === "http:") && url.username === "" && url.password === "") return text;
  throw new CodedError("CONFIG_INVALID", `The update source "${text}" is no http or https address without a password`);
}

function warningsOf(address: ListenAddress, api: ApiConfig, wantsPrivate: boolean): readonly string[] {
  const warnings: string[] = [];
  if (wantsPrivate && api.token === undefined)
    warnings.push("SVC_API_PRIVATE has no effect without SVC_API_TOKEN: everyone who reaches the node reads and submits.");
  if (!isLoopback(address) && api.token === undefined && api.openPart !== "chain")
    warnings.push(
      `The node listens on ${address.host === "::" ? "all interfaces" : address.host} without a token: everyone who reaches it reads and submits. Set SVC_API_TOKEN or listen on 127.0.0.1.`,
    );
  return warnings;
}

function choice<T extends string>(name: string, value: string | undefined, choices: readonly T[]): T | undefined {
  if (value === undefined) return undefined;
  const found = choices.find((candidate) => candidate === value);
  if (found === undefined) throw new CodedError("CONFIG_INVALID", `${name} is "${value}": write ${choices.join(" or ")}`);
  return found;
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) if (typeof inner === "object" && inner !== null) deepFreeze(inner);
  return Object.freeze(value);
}
