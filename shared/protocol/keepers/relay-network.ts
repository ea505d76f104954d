// The network of a relay's address: of one network a box has one keeper at most. Only what the text says counts, as no name server answers
// all nodes alike. Addresses that are not public, and relays behind relays, belong to no network: who announces one is no keeper.

const BYTE = /^(?:0|[1-9]\d{0,2})$/;
const GROUP = /^[0-9a-f]{1,4}$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Letters beyond these may become one of them in lower case. */
const ASCII = /^[ -~]*$/;
const NUMBER = /^\d+$/;

/** First bytes of IPv4 networks that are not public, and how many bits of them: the registry of RFC 6890, and multicast. */
const CLOSED_IPV4: readonly (readonly [bytes: readonly number[], bits: number])[] = [
  [[0], 8],
  [[10], 8],
  [[100, 64], 10],
  [[127], 8],
  [[169, 254], 16],
  [[172, 16], 12],
  [[192, 0, 0], 24],
  [[192, 0, 2], 24],
  [[192, 88, 99], 24],
  [[192, 168], 16],
  [[198, 18], 15],
  [[198, 51, 100], 24],
  [[203, 0, 113], 24],
  [[224], 3],
];
/** The same of IPv6 inside of 2000::/3: Teredo and its neighbours, documentation, 6to4. */
const CLOSED_IPV6: readonly (readonly [groups: readonly number[], bits: number])[] = [
  [[0x2001, 0], 23],
  [[0x2001, 0xdb8], 32],
  [[0x2002], 16],
  [[0x3fff, 0], 20],
];

/**
 * Network of a multiaddress: `4 a.b.c` for a /24, `6 a:b:c` for a /48, `dns b.a` for the last two labels of a name. Undefined when it is
 * not public or not of one of these kinds.
 */
export function networkOfAddress(multiaddr: string): string | undefined {
  const [, kind = "", host = "", ...rest] = multiaddr.split("/");
  if (rest.includes("p2p-circuit")) return undefined;
  switch (kind) {
    case "ip4":
      return networkOfIpv4(host);
    case "ip6":
      return networkOfIpv6(host);
    case "dns":
    case "dns4":
    case "dns6":
      return domainOf(host);
    default:
      return undefined;
  }
}

function networkOfIpv4(text: string): string | undefined {
  const bytes = text.split(".");
  if (bytes.length !== 4 || !bytes.every((byte) => BYTE.test(byte) && Number(byte) < 256)) return undefined;
  const numbers = bytes.map(Number);
  return isWithin(numbers, 8, CLOSED_IPV4) ? undefined : `4 ${numbers.slice(0, 3).join(".")}`;
}

function networkOfIpv6(text: string): string | undefined {
  const groups = ipv6Groups(text.toLowerCase());
  if (groups === undefined || ((groups[0] ?? 0) & 0xe000) !== 0x2000 || isWithin(groups, 16, CLOSED_IPV6)) return undefined;
  return `6 ${groups
    .slice(0, 3)
    .map((group) => group.toString(16))
    .join(":")}`;
}

/** Eight groups; a text with an IPv4 address in it has none. */
function ipv6Groups(text: string): readonly number[] | undefined {
  const parts = text.split("::");
  if (parts.length > 2) return undefined;
  const [head = [], tail = []] = parts.map((part) => (part === "" ? [] : part.split(":")));
  const missing = 8 - head.length - tail.length;
  if (parts.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...head, ...Array<string>(missing).fill("0"), ...tail];
  return groups.every((group) => GROUP.test(group)) ? groups.map((group) => Number.parseInt(group, 16)) : undefined;
}

function domainOf(name: string): string | undefined {
  const labels = name.toLowerCase().split(".");
  const last = labels.at(-1) ?? "";
  if (!ASCII.test(name) || labels.length < 2 || name.length > 253 || NUMBER.test(last) || !labels.every((label) => LABEL.test(label)))
    return undefined;
  return `dns ${labels.slice(-2).join(".")}`;
}

function isWithin(parts: readonly number[], width: number, closed: readonly (readonly [readonly number[], number])[]): boolean {
  return closed.some(([prefix, bits]) => {
    for (let at = 0; at * width < bits; at += 1) {
      const free = Math.max(0, (at + 1) * width - bits);
      if ((parts[at] ?? 0) >> free !== (prefix[at] ?? 0) >> free) return false;
    }
    return true;
  });
}
