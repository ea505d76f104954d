import { describe, expect, it } from "vitest";
import type { Environment } from "#node/config/environment.ts";
import { parseConfigFile } from "#node/config/files/config-file.ts";
import { mergeNodeConfig, type NodeConfig, type NodeFlags } from "#node/config/node-config.ts";
import { formatRetention, parseRetention } from "#node/config/retention.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";

const PEER = "/ip4/192.0.2.1/tcp/9100/p2p/12D3KooWAbc";
const CHECKPOINT = `7:${"AB".repeat(32)}`;

const merge = (flags: NodeFlags, environment: Partial<Environment> = {}, file: object = {}): NodeConfig =>
  mergeNodeConfig({ flags, environment: { isLaunched: false, ...environment }, defaultDataDir: "/default" }, file);

describe("mergeNodeConfig", () => {
  it("listens on this machine only when nothing is said", () => {
    expect(merge({})).toEqual({
      dataDir: "/default",
      genesisPath: undefined,
      isDevelopment: false,
      mode: undefined,
      statsAddress: { host: "127.0.0.1", port: 8080 },
      log: "text",
      api: {
        token: undefined,
        isPrivate: false,
        servesInterface: true,
        servesSwagger: true,
        allowedOrigins: [],
        allowedHosts: [],
        limitsLoopback: false,
        inboxAuth: "proof",
        limits: {},
      },
      usesCarriers: true,
      own: [],
      awaitsOwn: false,
      relayFeeUt: undefined,
      heartbeatMs: 1_800_000,
      warnings: [],
    });
  });

  it("has the signer of a validator by flags, variables or the file, with all that belongs to it", () => {
    const key = "ab".repeat(32);
    const pin = `${"CD:".repeat(31)}CD`;
    expect(merge({ signer: "./run/sock", signerKey: key }).signer).toMatchObject({ address: { type: "socket" }, publicKey: key });
    const tls = { address: { type: "tls", host: "10.0.0.5", port: 9300 }, publicKey: key, fingerprint: "cd".repeat(32) };
    expect(merge({}, {}, { signer: "10.0.0.5:9300", signer_key: key, signer_pin: pin }).signer).toEqual(tls);
    expect(merge({}, { signer: "10.0.0.5:9300", signerKey: key, signerPin: pin }, { signer: "[::1]:1" }).signer).toEqual(tls);
    const refuses = (flags: NodeFlags): void => expect(() => merge(flags)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
    refuses({ signer: "10.0.0.5:9300", signerKey: key });
    refuses({ signer: "10.0.0.5:9300", signerKey: key, signerPin: "ab" });
    refuses({ signer: "/run/sock" });
    refuses({ signer: "/run/sock", signerKey: "me" });
    refuses({ signer: `/${"x".repeat(120)}`, signerKey: key });
    refuses({ signer: "nowhere", signerKey: key });
    expect(merge({ nextSigner: "./run/sock", nextSignerKey: key })).toMatchObject({ signer: undefined, nextSigner: { publicKey: key } });
    expect(merge({}, {}, { next_signer: "10.0.0.5:9300", next_signer_key: key, next_signer_pin: pin }).nextSigner).toEqual(tls);
    refuses({ nextSigner: "/run/sock" });
    refuses({ nextSignerKey: key });
    refuses({ signerKey: key });
    refuses({ signer: "/run/sock", signerKey: key, mode: "light" });
  });

  it("gives mail so much of the disk, by flag or file", () => {
    expect(merge({}).mailDiskBytes).toBeUndefined();
    expect([merge({ carriers: "off" }).usesCarriers, merge({}, {}, { carriers: false }).usesCarriers]).toEqual([false, false]);
    expect(merge({ mailDisk: "128MiB" }, {}, { mail_disk: "16GiB" }).mailDiskBytes).toBe(134_217_728);
    expect(merge({}, {}, { mail_disk: "16GiB" }).mailDiskBytes).toBe(17_179_869_184);
    for (const mailDisk of ["127MiB", "0GiB", "16", "16GB", "-1GiB", "1.5GiB", "2000000000GiB", ""])
      expect(() => merge({ mailDisk })).toThrow(
        expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringMatching(/128MiB/) }),
      );
  });

  it("keeps all old blocks, or those of days or a number, by flag or file", () => {
    expect(merge({}).retain).toBeUndefined();
    expect(merge({ retain: "all" }, {}, { retain: "30d" }).retain).toBeUndefined();
    expect(merge({}, {}, { retain: "30d" }).retain).toEqual({ days: 30 });
    const awaitsOwn = { awaitsOwn: true };
    expect(merge({}, awaitsOwn)).toMatchObject({ awaitsOwn: true, retain: { days: 30 } });
    expect(merge({}, awaitsOwn, { retain: "all" }).retain).toBeUndefined();
    expect(merge({ retain: "1128blocks" }, {}, { retain: "30d" }).retain).toEqual({ blocks: 1_128 });
    const reasons = [
      ["1127blocks", /at least 1128blocks/],
      ["0d", /1d to 36500d, or all/],
      ["36501d", /1d to 36500d/],
      ["30", /write all, days like 30d, or a number of blocks/],
      ["-1d", /write all/],
      ["1.5d", /write all/],
      ["2h", /write all/],
      ["", /write all/],
      ["none", /--retain is "none": write all/],
    ] as const;
    for (const [retain, reason] of reasons) {
      expect(() => merge({ retain })).toThrow(expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringMatching(reason) }));
      expect(() => merge({}, {}, { retain })).toThrow(reason);
    }
    for (const retention of [undefined, { days: 30 }, { blocks: 5_000 }] as const)
      expect(parseRetention(formatRetention(retention))).toEqual(retention);
  });

  it("knows the person's accounts by address or key, each once", () => {
    const key = "ab".repeat(32);
    expect(merge({ own: `${key}, ${formatAddress(key)},` }).own).toEqual([key]);
    expect(merge({}, {}, { own: [key] }).own).toEqual([key]);
    expect(merge({ own: "" }, {}, { own: [key] }).own).toEqual([]);
    expect(() => merge({ own: "me" })).toThrow(/--own: "me" is no address/);
    const many = Array.from({ length: 65 }, (_, index) => (index + 10).toString(16).padStart(64, "0"));
    expect(() => merge({ own: many.join(",") })).toThrow(/more than 64 accounts/);
  });

  it("puts flags above the file", () => {
    const file = { stats_addr: "127.0.0.1:1", mode: "full", log: "json" } as const;
    expect(merge({}, {}, file)).toMatchObject({ statsAddress: { port: 1 }, mode: "full", log: "json" });
    expect(merge({ statsAddr: ":2", mode: "validator", log: "text" }, {}, file)).toMatchObject({
      statsAddress: { host: "::", port: 2 },
      mode: "validator",
      log: "text",
    });
  });

  it("puts the environment above the file", () => {
    const file = { api_token: "file", api_private: true, disable_ui: true, inbox_auth: "open", allowed_hosts: ["a"] };
    const environment: Partial<Environment> = {
      apiToken: "environment",
      apiPrivate: false,
      disableUi: false,
      inboxAuth: "proof",
      allowedHosts: ["b"],
    };
    expect(merge({}, {}, file).api).toMatchObject({
      token: "file",
      isPrivate: true,
      servesInterface: false,
      inboxAuth: "open",
      allowedHosts: ["a"],
    });
    expect(merge({}, environment, file).api).toMatchObject({
      token: "environment",
      isPrivate: false,
      servesInterface: true,
      inboxAuth: "proof",
      allowedHosts: ["b"],
    });
  });

  it("takes limits from flags and file", () => {
    const limits = merge({ rateLimit: "5", connectionsPerIp: "2" }, {}, { rate_limit: 7, body_limit: 1000 }).api.limits;
    expect(limits).toEqual({ requestsPerSecond: 5, connectionsPerAddress: 2, bodyBytes: 1000 });
    for (const rateBurst of ["0", "-1", "1.5", "many", "2147483648"])
      expect(() => merge({ rateBurst })).toThrow(`--rate-burst is "${rateBurst}": use a whole number from 1`);
  });

  it("takes the update source from flag, environment and file, in this order", () => {
    const [a, b, c] = ["https://a.example/x", "http://b.example/", "https://c.example/?key=1"];
    expect(merge({}).updateUrl).toBeUndefined();
    expect(merge({}, {}, { update_url: c }).updateUrl).toBe(c);
    expect(merge({}, { updateUrl: b }, { update_url: c }).updateUrl).toBe(b);
    expect(merge({ updateUrl: a }, { updateUrl: b }, { update_url: c }).updateUrl).toBe(a);
    for (const updateUrl of ["", "latest", "ftp://a.example/", "file:///etc/passwd", "https://me:secret@a.example/"])
      expect(() => merge({ updateUrl })).toThrow(`The update source "${updateUrl}" is no http or https address`);
  });

  it("takes the fee of the relay of the flag, then of the file, in whole µT", () => {
    expect(merge({}, {}, { relay_fee: 7 }).relayFeeUt).toBe(7);
    expect(merge({ relayFee: 0 }, {}, { relay_fee: 7 }).relayFeeUt).toBe(0);
    expect(() => parseConfigFile('{"relay_fee":0.5}', "c")).toThrow("c: relay_fee is whole µT, from 0 to 9007199254740991");
  });

  it("takes the time between heartbeats of the flag, then of the file: none, or as long as they count at least", () => {
    expect(merge({}, {}, { heartbeat_minutes: 10 }).heartbeatMs).toBe(600_000);
    expect(merge({ heartbeat: "0" }, {}, { heartbeat_minutes: 10 }).heartbeatMs).toBe(0);
    for (const heartbeat of ["9", "10081", "-1", "1.5", "", "soon"])
      expect(() => merge({ heartbeat })).toThrow("0 for none, or 10 to 10080");
    expect(() => merge({}, {}, { heartbeat_minutes: 1 })).toThrow("0 for none, or 10 to 10080");
    expect(() => parseConfigFile('{"heartbeat_minutes":true}', "c")).toThrow("c: heartbeat_minutes is whole minutes");
  });

  it("takes mode and checkpoint of a light node, and warns of one that looks for no peers", () => {
    const light = merge({ mode: "light", bootstrap: PEER, checkpoint: CHECKPOINT });
    expect(light).toMatchObject({ mode: "light", checkpoint: { height: 7, hash: "ab".repeat(32) }, warnings: [] });
    expect(merge({ bootstrap: PEER }, {}, { mode: "light", checkpoint: CHECKPOINT })).toMatchObject({
      mode: "light",
      checkpoint: { height: 7 },
    });
    // A node that is not light keeps the checkpoint of its file for later.
    expect(merge({ mode: "full" }, {}, { checkpoint: CHECKPOINT }).mode).toBe("full");
    expect(merge({ mode: "light", p2pAddr: ":9100" }).warnings).toEqual([]);
    expect(merge({ mode: "light", p2pAddr: "127.0.0.1:9100" }).warnings).toEqual([expect.stringContaining("does not look for peers")]);
  });

  it("cannot be changed afterwards", () => {
    const config = merge({});
    expect(() => Object.assign(config.api, { token: "x" })).toThrow(TypeError);
    expect(() => Object.assign(config, { mode: "full" })).toThrow(TypeError);
  });

  it("warns of a public address without a token and of privacy without one", () => {
    expect(merge({ statsAddr: ":8080" }).warnings).toEqual([expect.stringContaining("listens on all interfaces without a token")]);
    expect(merge({ statsAddr: ":8080" }, { apiToken: "x" }).warnings).toEqual([]);
    const open = merge({}, { apiPrivate: true });
    expect(open.api.isPrivate).toBe(false);
    expect(open.warnings).toEqual([expect.stringContaining("no effect without SVC_API_TOKEN")]);
  });

  it.each([
    [{ mode: "archive" }, '--mode is "archive": write full or validator or light'],
    [{ mode: "light" }, "A light node asks other nodes for everything: name some with --bootstrap"],
    [{ mode: "light", dev: true, bootstrap: PEER }, "has no other node that a light one could ask"],
    [{ checkpoint: CHECKPOINT }, "--checkpoint is for a light node"],
    [{ mode: "light", bootstrap: PEER, checkpoint: "7" }, '"7" is no checkpoint'],
    [{ log: "xml" }, '--log is "xml": write text or json'],
    [{ dev: true, genesis: "g.json" }, "--dev makes a network of its own"],
  ])("refuses %j", (flags, message) => {
    expect(() => merge(flags)).toThrow(message);
  });
});

describe("parseConfigFile", () => {
  it.each([
    ["{", "/d/config.json is not valid JSON"],
    ["[]", "/d/config.json is not a JSON object"],
    ['{"stats_adr":":1"}', 'has the unknown key "stats_adr": known are stats_addr, mode'],
    ['{"mode":"archive"}', "/d/config.json: mode is full, validator or light"],
    ['{"checkpoint":7}', "/d/config.json: checkpoint is a text like 1200:"],
    ['{"api_private":"yes"}', "/d/config.json: api_private is true or false"],
    ['{"rate_limit":0}', "/d/config.json: rate_limit is a whole number from 1"],
    ['{"allowed_hosts":"a"}', "/d/config.json: allowed_hosts is a list of texts"],
  ])("refuses %s", (text, message) => {
    expect(() => parseConfigFile(text, "/d/config.json")).toThrow(message);
  });

  it("takes an empty object", () => {
    expect(parseConfigFile("{}", "/d/config.json")).toEqual({});
  });
});
