// TCP that dials only what may be dialled. Every dial of libp2p ends here, also those of its own services.
import type { Transport } from "@libp2p/interface";
import { type TCPComponents, type TCPSocketOptions, tcp } from "@libp2p/tcp";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { DialPolicy } from "../addresses/dial-policy.ts";
import { createGuardedLookup } from "../addresses/guarded-lookup.ts";
import type { HolePunching } from "./hole-punching.ts";

/** The transport. Names that the operator configured may lead anywhere, those of others to addresses that may be reached. */
export function guardedTcp(components: TCPComponents, policy: DialPolicy, punching: HolePunching | undefined): Transport {
  const transportOf = (dialOpts: TCPSocketOptions): Transport =>
    punching === undefined ? tcp({ dialOpts })(components) : punching.transport(components, dialOpts);
  const transport = transportOf({});
  const guarded = transportOf({ lookup: createGuardedLookup((ip) => policy.mayReach(ip)) } as TCPSocketOptions);
  const dial = transport.dial.bind(transport);
  transport.dial = async (address, options): ReturnType<Transport["dial"]> => {
    if (!policy.mayDial(address)) throw new CodedError("UPSTREAM_FAILED", `${address.toString()} is not dialled`);
    return await (policy.isConfigured(address) ? dial(address, options) : guarded.dial(address, options));
  };
  return transport;
}
