// Ranges and networks of addresses.
import { BlockList } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostOf, type Ip, isInNetwork, parseIp, providerOf, rangeOf, subnetOf } from "#node/network/addresses/ip-address.ts";

const ip = (text: string): Ip => {
  const parsed = parseIp(text);
  if (parsed === undefined) throw new Error(`${text} is no address`);
  return parsed;
};

describe("an address", () => {
  it.each([
    ["203.0.113.77", "203.0.113.77/32", "203.0.113.0/24", "203.0.0.0/16"],
    ["::ffff:203.0.113.77", "203.0.113.77/32", "203.0.113.0/24", "203.0.0.0/16"],
    ["2001:4860:4860:8844:1:2:3:4", "2001:4860:4860:8844::/64", "2001:4860:4860::/48", "2001:4860::/32"],
    ["fe80::1%eth0", "fe80::/64", "fe80::/48", "fe80::/32"],
  ])("%s belongs to a customer, a network and a provider", (text, host, subnet, provider) => {
    expect([hostOf(ip(text)), subnetOf(ip(text)), providerOf(ip(text))]).toEqual([host, subnet, provider]);
  });

  it.each([[""], ["1.2.3"], ["1.2.3.256"], ["example.org"], ["::1::"], ["12345::"]])("is not %j", (text) => {
    expect(parseIp(text)).toBeUndefined();
  });

  it.each([
    ["8.8.8.8", "public"],
    ["172.15.0.1", "public"],
    ["172.16.0.1", "172.16.0.0/12"],
    ["172.32.0.1", "public"],
    ["100.63.0.1", "public"],
    ["100.64.0.1", "100.64.0.0/10"],
    ["169.254.1.1", "169.254.0.0/16"],
    ["239.1.1.1", "reserved"],
    ["::", "reserved"],
    ["::1", "::1/128"],
    ["fdff::1", "fc00::/7"],
    ["febf::1", "fe80::/10"],
    ["fec0::1", "reserved"],
    ["2600::1", "public"],
    ["4000::1", "reserved"],
  ])("%s lies in the range %s", (text, range) => {
    expect(rangeOf(ip(text))).toBe(range);
  });

  it("is in a network as the runtime finds it", () => {
    const seed = 16;
    fc.assert(
      fc.property(fc.ipV6(), fc.ipV4(), fc.integer({ min: 0, max: 128 }), fc.integer({ min: 0, max: 32 }), (v6, v4, bits6, bits4) => {
        for (const [own, other, bits, family] of [
          [v6, "2600:1:2:3:4:5:6:7", bits6, "ipv6"],
          [v6, v6, bits6, "ipv6"],
          [v4, "203.0.113.7", bits4, "ipv4"],
        ] as const) {
          const list = new BlockList();
          list.addSubnet(other, bits, family);
          if (ip(own).bytes.length === (family === "ipv6" ? 16 : 4) && ip(other).bytes.length === ip(own).bytes.length)
            expect(isInNetwork(ip(own), `${other}/${bits}`), `${own} in ${other}/${bits}, seed ${seed}`).toBe(list.check(own, family));
        }
      }),
      { numRuns: 500, seed },
    );
  });
});
