// TCP that dials only what may be dialled. Every dial of libp2p ends here, also those of its own services.
import type { Transport } from "@libp2p/interface";
import { type TCPComponents, tcp } from "@libp2p/tcp";
import { type Multiaddr, multiaddr } from "@multiformats/multiaddr";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { DialPolicy } from "../addresses/dial-policy.ts";
import { dialTargetOf, endpointOf } from "../addresses/dial-target.ts";
import { lookUpName } from "../addresses/guarded-lookup.ts";
import { sourceOf } from "../addresses/peer-source.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { DialRate } from "./dial-rate.ts";
import type { HolePunching } from "./hole-punching.ts";

/** What the transport decides by. */
export interface GuardedTransportOptions {
  readonly policy: DialPolicy;
  readonly punching?: HolePunching | undefined;
  /** Dials of addresses that the operator did not configure. */
  readonly rate: DialRate;
  /** Addresses of a name that a stranger gave, as far as they may be reached. */
  readonly lookUp?: (name: string) => Promise<readonly string[]>;
}

/**
 * The transport. Names that the operator configured may lead anywhere, those of others to addresses that may be reached: they are dialled by
 * these addresses, so that whatever counts by address counts them too.
 */
export function guardedTcp(components: TCPComponents, { policy, punching, rate, lookUp }: GuardedTransportOptions): Transport {
  const transport = punching === undefined ? tcp()(components) : punching.transport(components);
  const dialAny = transport.dial.bind(transport);
  const dial = async (address: Multiaddr, options: Parameters<Transport["dial"]>[1]): ReturnType<Transport["dial"]> => {
    const source = policy.isConfigured(address) ? undefined : sourceOf(address);
    if (source !== undefined && !rate.take(source)) throw new CodedError("UPSTREAM_FAILED", `${source.host} was dialled too often`);
    return await dialAny(address, options);
  };
  const addressesOf = lookUp ?? ((name): Promise<readonly string[]> => lookUpName(name, (ip) => policy.mayReach(ip)));
  const dialName = async (name: string, rest: string, options: Parameters<Transport["dial"]>[1]): ReturnType<Transport["dial"]> => {
    const addresses = await addressesOf(name);
    let failure: unknown = new CodedError("UPSTREAM_FAILED", `${name} leads to no address that may be dialled`);
    for (const address of addresses) {
      options.signal.throwIfAborted();
      const signal = AbortSignal.any([options.signal, AbortSignal.timeout(NETWORK_LIMITS.dialTimeoutMs / addresses.length)]);
      try {
        return await dial(multiaddr(`/${address.includes(":") ? "ip6" : "ip4"}/${address}${rest}`), { ...options, signal });
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  };
  transport.dial = async (address, options): ReturnType<Transport["dial"]> => {
    if (!policy.mayDial(address)) throw new CodedError("UPSTREAM_FAILED", `${address.toString()} is not dialled`);
    const target = dialTargetOf(address);
    if (target?.kind !== "name" || policy.isConfigured(address)) return await dial(address, options);
    const peer = address.toString().slice(endpointOf(address).length);
    return await dialName(target.name, `/tcp/${target.port}${peer}`, options);
  };
  return transport;
}
