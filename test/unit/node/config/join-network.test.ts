import { describe, expect, it } from "vitest";
import { fetchAddresses, fetchCheckpoint, fetchGenesis } from "#node/config/join-network.ts";
import { networkToJoin, p2pConfig } from "#node/config/network/p2p-config.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { GENESIS } from "#test/support/worlds/ledger-world.ts";

const PEER = "/ip4/192.0.2.1/tcp/9100/p2p/12D3KooWFP8vTufHwMcZ1wFWiuJrEigsg1SbvXjnyA6EkDMzCCCT";

describe("nodes by the address of their HTTP interface", () => {
  it("are met beside those of multiaddresses, and so is the one that is joined", () => {
    expect(p2pConfig({ bootstrap: `${PEER}, http://192.0.2.2:8080` }, {})?.bootstrap).toEqual([PEER, "http://192.0.2.2:8080"]);
    expect(p2pConfig({ genesis: "http://192.0.2.3:8080" }, { bootstrap: [PEER] })?.bootstrap).toEqual([PEER, "http://192.0.2.3:8080"]);
    expect(p2pConfig({ genesis: "genesis.json" }, {})).toBeUndefined();
  });

  it.each(["192.0.2.1:9100", "ftp://192.0.2.1", "http//x"])("are not %s", (node) => {
    expect(() => p2pConfig({ bootstrap: node }, {})).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringContaining(node) }),
    );
  });

  it("give the network, as a file does", () => {
    expect(networkToJoin(undefined)).toEqual({ genesisPath: undefined, joinUrl: undefined });
    expect(networkToJoin("/tmp/genesis.json")).toEqual({ genesisPath: "/tmp/genesis.json", joinUrl: undefined });
    expect(networkToJoin("https://example.org")).toEqual({ genesisPath: undefined, joinUrl: "https://example.org" });
  });
});

describe("joining by the address of a node", () => {
  const genesis = GENESIS;
  const url = "http://192.0.2.1:8080";
  const answering =
    (answers: Readonly<Record<string, unknown>>) =>
    (address: string): Promise<Response> => {
      const answer = answers[new URL(address).pathname];
      return Promise.resolve(
        answer === undefined
          ? new Response("", { status: 404 })
          : new Response(typeof answer === "string" ? answer : JSON.stringify(answer)),
      );
    };
  const info = { genesis_hash: genesisHash(genesis), p2p_addresses: [PEER, 5, "http://no"] };

  it("gives the genesis that has the hash the node says", async () => {
    expect(await fetchGenesis(url, answering({ "/api/network-info": info, "/api/genesis": genesis }))).toEqual(genesis);
  });

  it.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ["another hash", { "/api/network-info": { ...info, genesis_hash: "11".repeat(32) }, "/api/genesis": genesis }],
    ["no genesis", { "/api/network-info": info }],
    ["no JSON", { "/api/network-info": "<html>" }],
    ["another shape", { "/api/network-info": [1] }],
  ])("refuses a node with %s", async (_, answers) => {
    await expect(fetchGenesis(url, answering(answers))).rejects.toMatchObject({
      code: "UPSTREAM_FAILED",
      message: expect.stringContaining(url),
    });
  });

  it("gives the newest block for a checkpoint, and none while there is only genesis", async () => {
    const hash = "ab".repeat(32);
    const newest = { "/api/netstats": { height: 7 }, "/api/block/7": { index: 7, hash } };
    expect(await fetchCheckpoint(url, answering(newest))).toEqual({ height: 7, hash });
    expect(await fetchCheckpoint(url, answering({ "/api/netstats": { height: 0 } }))).toBeUndefined();
    await expect(fetchCheckpoint(url, answering({ ...newest, "/api/block/7": { index: 6, hash } }))).rejects.toMatchObject({
      code: "UPSTREAM_FAILED",
    });
    await expect(fetchCheckpoint(url, answering({ ...newest, "/api/block/7": { index: 7, hash: "short" } }))).rejects.toThrow();
  });

  it("refuses a node that is away", async () => {
    await expect(fetchGenesis(url, () => Promise.reject(new Error("ECONNREFUSED")))).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
  });

  it("gives the addresses that are some", async () => {
    expect(await fetchAddresses(url, answering({ "/api/network-info": info }))).toEqual([PEER]);
    expect(await fetchAddresses(url, answering({ "/api/network-info": { genesis_hash: "" } }))).toEqual([]);
  });
});
