// Names in addresses that peers report, and in links. What a name leads to may change from one moment to the next (rebinding), so a name is looked up once,
// and what was found is checked and dialled. The system's own lookup has four threads, which files need too: a stranger's name server that does
// not respond would keep them, so the names are asked of the name servers directly.
import { Resolver, resolveTxt } from "node:dns/promises";
import type { MultiaddrResolver } from "@libp2p/interface";
import { type Multiaddr, multiaddr } from "@multiformats/multiaddr";
import type { DialPolicy } from "./dial-policy.ts";
import { dialTargetOf } from "./dial-target.ts";
import { type Ip, parseIp } from "./ip-address.ts";

/** Addresses of a name. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** Texts of a name. */
export type ResolveTexts = (name: string) => Promise<readonly string[]>;

const LOOKUP_TIMEOUT_MS = 2_000;
/** Addresses of one name that are tried. */
const MAX_ADDRESSES = 4;
/** Records of one configured name that are used. */
const MAX_RECORDS = 16;
const RECORD = "dnsaddr=";

/** Addresses of a stranger's name that may be reached, a few; none when it leads nowhere. */
export async function lookUpName(name: string, mayReach: (ip: Ip) => boolean, resolve = askNameServers): Promise<readonly string[]> {
  const found = await resolve(name).catch(() => []);
  const isAllowed = (address: string): boolean => {
    const ip = parseIp(address);
    return ip !== undefined && mayReach(ip);
  };
  return found.filter(isAllowed).slice(0, MAX_ADDRESSES);
}

/** Resolves `/dnsaddr` names that the operator configured, and no others: records may name further names without end. */
export function createRecordResolver(policy: DialPolicy, resolve: ResolveTexts = askTexts): MultiaddrResolver {
  return {
    canResolve: (address) => dialTargetOf(address)?.kind === "records" || address.getComponents().some(({ name }) => name === "dnsaddr"),
    resolve: async (address): Promise<Multiaddr[]> => {
      const target = dialTargetOf(address);
      if (target?.kind !== "records" || !policy.isConfigured(address)) return [];
      const texts = await resolve(`_dnsaddr.${target.name}`);
      const found = texts.flatMap(recordOf).slice(0, MAX_RECORDS);
      for (const each of found) policy.learnConfigured(each);
      return found;
    },
  };
}

function recordOf(text: string): Multiaddr[] {
  if (!text.startsWith(RECORD)) return [];
  try {
    const address = multiaddr(text.slice(RECORD.length));
    return dialTargetOf(address) === undefined ? [] : [address];
  } catch {
    return [];
  }
}

/** Asks the name servers of this machine, within seconds; none for a name that is not known. */
export const askNameServers: ResolveName = async (name) => {
  const resolver = new Resolver({ timeout: LOOKUP_TIMEOUT_MS, tries: 1 });
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return [ipv4, ipv6].flatMap((found) => (found.status === "fulfilled" ? found.value : []));
};

async function askTexts(name: string): Promise<readonly string[]> {
  return (await resolveTxt(name)).map((pieces) => pieces.join(""));
}
