import { describe, expect, it } from "vitest";
import { callRelayConfig } from "#node/config/network/call-relay-config.ts";

describe("callRelayConfig", () => {
  it("offers none unless asked to", () => {
    expect(callRelayConfig({}, {})).toBeUndefined();
    expect(callRelayConfig({ callRelayAddress: "203.0.113.7" }, { call_relay_private: true })).toBeUndefined();
  });

  it("puts flags above the file, and fills in the rest", () => {
    const rest = { firstPort: 49_152, lastPort: 49_407, allowsPrivate: false, dailyBytes: 20 * 2 ** 30 };
    const file = { call_relay: "203.0.113.7:3478", call_relay_ports: "50000-50999", call_relay_private: true, call_relay_daily: "1GiB" };
    expect(callRelayConfig({ callRelay: "203.0.113.7:3478" }, {})).toEqual({
      host: "203.0.113.7",
      port: 3_478,
      address: "203.0.113.7",
      ...rest,
    });
    expect(callRelayConfig({ callRelay: ":1", callRelayAddress: "203.0.113.8" }, {})).toMatchObject({
      host: "0.0.0.0",
      address: "203.0.113.8",
    });
    expect(callRelayConfig({}, file)).toMatchObject({ firstPort: 50_000, lastPort: 50_999, allowsPrivate: true, dailyBytes: 2 ** 30 });
    expect(callRelayConfig({ callRelayPrivate: "off", callRelayDaily: "512MiB" }, file)).toMatchObject({
      allowsPrivate: false,
      dailyBytes: 2 ** 29,
    });
  });

  it.each([
    [{ callRelay: "here" }, "not an address to listen on"],
    [{ callRelay: "[::1]:3478" }, "address of IPv4 with a port"],
    [{ callRelay: "relay.example.org:3478" }, "address of IPv4 with a port"],
    [{ callRelay: ":3478" }, "--call-relay-address"],
    [{ callRelay: "0.0.0.0:3478" }, "--call-relay-address"],
    [{ callRelay: ":3478", callRelayAddress: "relay.example.org" }, "--call-relay-address is"],
    [{ callRelay: "203.0.113.7:1", callRelayPorts: "49152-49153" }, "64 ports or more"],
    [{ callRelay: "203.0.113.7:1", callRelayPorts: "1-65535" }, "64 ports or more"],
    [{ callRelay: "203.0.113.7:1", callRelayPorts: "60000-70000" }, "64 ports or more"],
    [{ callRelay: "203.0.113.7:1", callRelayPrivate: "yes" }, "write on or off"],
    [{ callRelay: "203.0.113.7:1", callRelayDaily: "0GiB" }, "--call-relay-daily"],
    [{ callRelay: "203.0.113.7:1", callRelayDaily: "much" }, "--call-relay-daily"],
  ])("refuses %j", (flags, words) => {
    expect(() => callRelayConfig(flags, {})).toThrow(words);
  });
});
