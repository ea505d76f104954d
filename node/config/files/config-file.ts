// DIR/config.json: the settings that a file may hold. Every key is known, every value checked.
import { readFileSync } from "node:fs";
import type { Static } from "typebox";
import * as Type from "typebox";
import { Value } from "typebox/value";
import { CodedError } from "#shared/errors/coded-error.ts";
import { MAX_SUPPLY_UT } from "#shared/protocol/primitives/limits.ts";
import { systemErrorCode } from "./file-errors.ts";

/** Largest value of a limit. */
export const MAX_LIMIT = 2_147_483_647;
const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT }));

/** Schema of the file; docs/configuration.md describes every key. */
export const ConfigFile = Type.Object(
  {
    stats_addr: Type.Optional(Type.String()),
    mode: Type.Optional(Type.Union([Type.Literal("full"), Type.Literal("validator"), Type.Literal("light")])),
    checkpoint: Type.Optional(Type.String({ minLength: 1 })),
    log: Type.Optional(Type.Union([Type.Literal("text"), Type.Literal("json")])),
    api_token: Type.Optional(Type.String({ minLength: 1 })),
    api_private: Type.Optional(Type.Boolean()),
    disable_ui: Type.Optional(Type.Boolean()),
    disable_swagger: Type.Optional(Type.Boolean()),
    allowed_origins: Type.Optional(Type.Array(Type.String())),
    allowed_hosts: Type.Optional(Type.Array(Type.String())),
    rate_limit_loopback: Type.Optional(Type.Boolean()),
    api_open: Type.Optional(Type.Union([Type.Literal("all"), Type.Literal("chain")])),
    trusted_proxies: Type.Optional(Type.Array(Type.String())),
    inbox_auth: Type.Optional(Type.Union([Type.Literal("proof"), Type.Literal("open")])),
    update_url: Type.Optional(Type.String({ minLength: 1 })),
    relay_fee: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_SUPPLY_UT })),
    heartbeat_minutes: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_LIMIT })),
    signer: Type.Optional(Type.String({ minLength: 1 })),
    signer_key: Type.Optional(Type.String({ minLength: 1 })),
    signer_pin: Type.Optional(Type.String({ minLength: 1 })),
    next_signer: Type.Optional(Type.String({ minLength: 1 })),
    next_signer_key: Type.Optional(Type.String({ minLength: 1 })),
    next_signer_pin: Type.Optional(Type.String({ minLength: 1 })),
    p2p_addr: Type.Optional(Type.String()),
    bootstrap: Type.Optional(Type.Array(Type.String())),
    announce: Type.Optional(Type.Array(Type.String())),
    mdns: Type.Optional(Type.Boolean()),
    p2p_relay: Type.Optional(Type.Union([Type.Literal("offer"), Type.Literal("use"), Type.Literal("off")])),
    p2p_private: Type.Optional(Type.Boolean()),
    p2p_limit_local: Type.Optional(Type.Boolean()),
    snapshots: Type.Optional(Type.Boolean()),
    sync: Type.Optional(Type.Union([Type.Literal("snapshot"), Type.Literal("replay")])),
    reserved_peers: Type.Optional(Type.Array(Type.String())),
    call_relay: Type.Optional(Type.String({ minLength: 1 })),
    call_relay_address: Type.Optional(Type.String({ minLength: 1 })),
    call_relay_ports: Type.Optional(Type.String({ minLength: 1 })),
    call_relay_private: Type.Optional(Type.Boolean()),
    call_relay_daily: Type.Optional(Type.String({ minLength: 1 })),
    retain: Type.Optional(Type.String({ minLength: 1 })),
    carriers: Type.Optional(Type.Boolean()),
    mail_disk: Type.Optional(Type.String({ minLength: 1 })),
    own: Type.Optional(Type.Array(Type.String())),
    rate_limit: Limit,
    rate_burst: Limit,
    body_limit: Limit,
    frame_limit: Limit,
    subscriptions: Limit,
    connections_per_ip: Limit,
    tcp_connections: Limit,
    tcp_per_ip: Limit,
  },
  { additionalProperties: false },
);
export type ConfigFile = Static<typeof ConfigFile>;

const EXPECTED: Readonly<Record<string, string>> = {
  mode: "full, validator or light",
  checkpoint: "a text like 1200:4f0c…, height and hash of a block",
  log: "text or json",
  inbox_auth: "proof or open",
  api_open: "all or chain",
  trusted_proxies: "a list of texts",
  stats_addr: "a text like 127.0.0.1:8080",
  api_token: "a text",
  update_url: "an address like https://example.org/releases/latest",
  heartbeat_minutes: "whole minutes",
  relay_fee: `whole µT, from 0 to ${MAX_SUPPLY_UT}`,
  signer: "a text like /run/user/1000/parley-signer/sock or 10.0.0.5:9300",
  signer_key: "the address or public key of the validator",
  signer_pin: "64 hex digits",
  next_signer: "a text like /run/user/1000/parley-signer/sock or 10.0.0.5:9300",
  next_signer_key: "the address or public key that takes over",
  next_signer_pin: "64 hex digits",
  p2p_addr: "a text like 0.0.0.0:9100",
  p2p_relay: "offer, use or off",
  bootstrap: "a list of texts",
  reserved_peers: "a list of texts",
  call_relay: "a text like 203.0.113.7:3478",
  call_relay_address: "an address of IPv4",
  call_relay_ports: "a text like 49152-49407",
  call_relay_daily: "a text: a size like 20GiB or 512MiB",
  mail_disk: "a text: a size like 16GiB or 512MiB",
  own: "a list of texts",
  retain: "a text: all, days like 30d, or blocks like 100000blocks",
  announce: "a list of texts",
  allowed_origins: "a list of texts",
  allowed_hosts: "a list of texts",
  ...Object.fromEntries(
    ["rate_limit", "rate_burst", "body_limit", "frame_limit", "subscriptions", "connections_per_ip", "tcp_connections", "tcp_per_ip"].map(
      (key) => [key, `a whole number from 1 to ${MAX_LIMIT}`],
    ),
  ),
};

/** Settings of the file at `path`; none when there is no such file. @throws CodedError CONFIG_INVALID naming the key that is wrong. */
export function readConfigFile(path: string): ConfigFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const code = systemErrorCode(error);
    // A file in the way of the folder itself is reported when the folder is opened.
    if (code === "ENOENT" || code === "ENOTDIR") return {};
    throw new CodedError("CONFIG_INVALID", `${path} cannot be read: check its permissions`, { cause: error });
  }
  return parseConfigFile(text, path);
}

/** Checked settings of a file's text; `path` is for error messages. @throws CodedError CONFIG_INVALID */
export function parseConfigFile(text: string, path: string): ConfigFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CodedError("CONFIG_INVALID", `${path} is not valid JSON: correct or remove it`, { cause });
  }
  if (Value.Check(ConfigFile, value)) return value;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new CodedError("CONFIG_INVALID", `${path} is not a JSON object: correct or remove it`);
  const known: Readonly<Record<string, unknown>> = ConfigFile.properties;
  const unknownKey = Object.keys(value).find((key) => known[key] === undefined);
  if (unknownKey !== undefined)
    throw new CodedError("CONFIG_INVALID", `${path} has the unknown key "${unknownKey}": known are ${Object.keys(known).join(", ")}`);
  const key = Value.Errors(ConfigFile, value)[0]?.instancePath.split("/")[1] ?? "";
  throw new CodedError("CONFIG_INVALID", `${path}: ${key} is ${EXPECTED[key] ?? "true or false"}`);
}
