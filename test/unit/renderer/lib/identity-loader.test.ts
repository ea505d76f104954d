import { describe, expect, it } from "vitest";
import { createIdentityLoader } from "#renderer/lib/node/access/identity-loader.ts";
import { HttpError, type NodeClient } from "#shared/api/client.ts";
import type { IdentityInfo } from "#shared/api/schemas/chain.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";

const keyOf = (n: number): string => n.toString(16).padStart(64, "0");
const identityOf = (key: string): IdentityInfo => ({
  pub_key: key,
  address: formatAddress(key),
  x25519_pub: "",
  nickname: `name of ${key.slice(-4)}`,
  registered: true,
  device_count: 1,
});
const signal = new AbortController().signal;

/** A node that notes what it is asked. */
function createNode(listed: "known" | 404 | 405 | 503 = "known"): Pick<NodeClient, "getIdentity" | "listIdentities"> & {
  readonly asked: (string | number)[];
  readonly signals: (AbortSignal | undefined)[];
} {
  const asked: (string | number)[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  return {
    asked,
    signals,
    getIdentity: ({ pubkey }): ReturnType<NodeClient["getIdentity"]> => {
      asked.push(pubkey);
      return pubkey === keyOf(0) ? Promise.reject(new HttpError(404, "unknown")) : Promise.resolve(identityOf(pubkey));
    },
    listIdentities: ({ body }, options): ReturnType<NodeClient["listIdentities"]> => {
      asked.push(body.accounts.length);
      signals.push(options?.signal as AbortSignal | undefined);
      if (listed !== "known") return Promise.reject(new HttpError(listed, "no"));
      return Promise.resolve({ count: body.accounts.length, identities: body.accounts.map(identityOf) });
    },
  };
}

describe("identities of a node", () => {
  it("are asked for together, each once, in parts that the node takes, and given in the order of who asked", async () => {
    const node = createNode();
    const loader = createIdentityLoader(node);
    const keys = Array.from({ length: 1_200 }, (_, n) => keyOf(n + 1));
    const [one, all] = await Promise.all([loader.load(keyOf(7), signal), loader.loadAll(keys, signal)]);
    expect(node.asked).toEqual([500, 500, 200]);
    expect(one.nickname).toBe("name of 0007");
    expect(all.map(({ pub_key: key }) => key)).toEqual(keys);
    await loader.load(keyOf(8), signal);
    expect(node.asked.at(-1), "alone by the plain request").toBe(keyOf(8));
  });

  it("come one by one from a node that knows no request for many, which is not asked again; strangers are unregistered", async () => {
    for (const status of [404, 405] as const) {
      const node = createNode(status);
      const loader = createIdentityLoader(node);
      const found = await loader.loadAll([keyOf(0), keyOf(1)], signal);
      expect(found.map(({ registered }) => registered)).toEqual([false, true]);
      await loader.loadAll([keyOf(2), keyOf(3)], signal);
      expect(node.asked).toEqual([2, keyOf(0), keyOf(1), keyOf(2), keyOf(3)]);
    }
  });

  it("fail together when the node fails", async () => {
    const loader = createIdentityLoader(createNode(503));
    const [one, other] = await Promise.allSettled([loader.load(keyOf(1), signal), loader.load(keyOf(2), signal)]);
    expect([one?.status, other?.status]).toEqual(["rejected", "rejected"]);
  });

  it("are given up once no caller waits for them any more", async () => {
    const node = createNode();
    const loader = createIdentityLoader(node);
    const [first, second] = [new AbortController(), new AbortController()];
    const both = Promise.all([loader.load(keyOf(1), first.signal), loader.load(keyOf(2), second.signal)]);
    first.abort();
    await both;
    expect(node.signals[0]?.aborted).toBe(false);
    second.abort();
    expect(node.signals[0]?.aborted).toBe(true);
  });
});
