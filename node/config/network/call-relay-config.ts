// Settings of the relay of calls that a node offers.
import { isIPv4 } from "node:net";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { ConfigFile } from "../files/config-file.ts";
import { parseListenAddress } from "../listen-address.ts";
import { sizeInBytes } from "../retention.ts";

/** Which settings a node's relay of calls has. */
export interface CallRelayConfig {
  /** Address of IPv4 to listen on; `0.0.0.0` for all. */
  readonly host: string;
  readonly port: number;
  /** Address of IPv4 at which others reach it. */
  readonly address: string;
  /** Ports of UDP that stand for the ones who call. */
  readonly firstPort: number;
  readonly lastPort: number;
  /** Passes on into private networks and to this machine. */
  readonly allowsPrivate: boolean;
  readonly dailyBytes: number;
}

/** Flags of `parley node` for it. */
export interface CallRelayFlags {
  readonly callRelay?: string;
  readonly callRelayAddress?: string;
  /** `first-last`. */
  readonly callRelayPorts?: string;
  readonly callRelayPrivate?: string;
  /** `<n>GiB` or `<n>MiB`. */
  readonly callRelayDaily?: string;
}

const DEFAULT_PORTS = "49152-49407";
const DEFAULT_DAILY = "20GiB";
const LEAST_PORT = 1_024;
const MOST_PORT = 65_535;
/** Fewer free ports than allocations would be found by chance alone. */
const LEAST_PORTS = 64;

/** The relay's settings, undefined when none is offered. @throws CodedError CONFIG_INVALID naming what is wrong */
export function callRelayConfig(flags: CallRelayFlags, file: ConfigFile): CallRelayConfig | undefined {
  const text = flags.callRelay ?? file.call_relay;
  if (text === undefined) return undefined;
  const listen = parseListenAddress(text);
  const host = listen.host === "::" ? "0.0.0.0" : listen.host;
  if (!isIPv4(host)) throw invalid(`--call-relay is "${text}": give an address of IPv4 with a port, or :port for all of this machine`);
  const address = flags.callRelayAddress ?? file.call_relay_address ?? host;
  if (!isIPv4(address)) throw invalid(`--call-relay-address is "${address}": give the address of IPv4 at which others reach the relay`);
  if (address === "0.0.0.0")
    throw invalid(`--call-relay ${text} listens on all interfaces: say with --call-relay-address at which address others reach it`);
  return {
    host,
    port: listen.port,
    address,
    ...portsOf(flags.callRelayPorts ?? file.call_relay_ports ?? DEFAULT_PORTS),
    allowsPrivate: onOrOff(flags.callRelayPrivate) ?? file.call_relay_private ?? false,
    dailyBytes: dailyBytes(flags.callRelayDaily ?? file.call_relay_daily ?? DEFAULT_DAILY),
  };
}

function portsOf(text: string): Pick<CallRelayConfig, "firstPort" | "lastPort"> {
  const [, first, last] = /^(\d{1,5})-(\d{1,5})$/.exec(text) ?? [];
  const [firstPort, lastPort] = [Number(first), Number(last)];
  if (firstPort >= LEAST_PORT && lastPort <= MOST_PORT && lastPort - firstPort >= LEAST_PORTS - 1) return { firstPort, lastPort };
  throw invalid(`--call-relay-ports is "${text}": give ${LEAST_PORTS} ports or more, like ${DEFAULT_PORTS}`);
}

function dailyBytes(text: string): number {
  const bytes = sizeInBytes(text);
  if (bytes !== undefined && bytes > 0) return bytes;
  throw invalid(`--call-relay-daily is "${text}": write a size like ${DEFAULT_DAILY} or 512MiB`);
}

function onOrOff(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (text === "on" || text === "off") return text === "on";
  throw invalid(`--call-relay-private is "${text}": write on or off`);
}

function invalid(message: string): CodedError {
  return new CodedError("CONFIG_INVALID", message);
}
