import { describe, expect, it } from "vitest";
import type { NodeAccess } from "#renderer/lib/node/access/node-access.ts";
import { type CallOptions, HttpError } from "#shared/api/client.ts";
import type { LiveState } from "#shared/api/socket/websocket-client.ts";
import { createMessengerNode } from "#shared/messenger/node/messenger-node.ts";

interface SignedBody {
  readonly pub: string;
  readonly ids: readonly string[];
  readonly height: number;
  readonly signature: string;
}

interface Deleted {
  readonly path: unknown;
  readonly headers: CallOptions["headers"];
}

/** A node that asks for a proof or not, and one's proofs. */
function world(
  isProofNeeded: boolean,
  refusal: Error | null = new HttpError(404, "unknown path"),
): {
  node: ReturnType<typeof createMessengerNode>;
  deleted: Deleted[];
  signed: SignedBody[];
  listed: CallOptions["headers"][];
  setState: (state: LiveState) => void;
  statusCalls: () => number;
} {
  const deleted: Deleted[] = [];
  const signed: SignedBody[] = [];
  const listed: CallOptions["headers"][] = [];
  const listeners = new Set<(state: LiveState) => void>();
  let statusCalls = 0;
  const access = {
    client: {
      getStatus: async () => {
        statusCalls += 1;
        return { inbox_auth_required: isProofNeeded, relay_pub: "relay" };
      },
      deleteEnvelopes: async ({ body }: { readonly body: SignedBody }) => {
        if (refusal !== null) throw refusal;
        signed.push(body);
      },
      deleteEnvelope: async (input: unknown, options?: CallOptions) => {
        deleted.push({ path: input, headers: options?.headers });
      },
      listInbox: async (_input: unknown, options?: CallOptions) => {
        listed.push(options?.headers);
        return { items: [], has_more: false };
      },
      listDevices: async () => Promise.reject(new HttpError(404, "unknown")),
      getIdentity: async () => Promise.reject(new HttpError(404, "unknown")),
      // A node at block 9.
      listBlocks: async ({ before = 10 }: { readonly before?: number }) => {
        const index = Math.min(before - 1, 9);
        return index < 0 ? [] : [{ index, hash: `hash of ${index}` }];
      },
    },
    live: {
      state: "open",
      onState: (listener: (state: LiveState) => void) => {
        listeners.add(listener);
        return (): boolean => listeners.delete(listener);
      },
      subscribe: () => (): void => undefined,
    },
    address: "",
  } as unknown as NodeAccess;
  const node = createMessengerNode(access, {
    chainId: "test",
    inboxProof: async ({ method, path, relayPub }) => `${method} ${path} ${relayPub}`,
    signDeletion: async ({ chainId, ids, height }) => `${chainId} ${ids.join("+")} at ${height}`,
  });
  return {
    node,
    deleted,
    signed,
    listed,
    setState: (state): void => {
      for (const listener of listeners) listener(state);
    },
    statusCalls: () => statusCalls,
  };
}

describe("createMessengerNode", () => {
  it("deletes without a proof where the node asks for none", async () => {
    const { node, deleted } = world(false);
    await node.deleteEnvelope("aa", "e1");
    expect(deleted).toEqual([{ path: { pub: "aa", envID: "e1" }, headers: undefined }]);
  });

  it("deletes at all nodes by one signature for what is deleted together", async () => {
    const { node, deleted, signed } = world(true, null);
    await Promise.all(["e1", "e2", "e3"].map((id) => node.deleteEnvelope("aa", id)));
    await node.deleteEnvelope("aa", "e4");
    expect([deleted, signed]).toEqual([
      [],
      [
        { pub: "aa", ids: ["e1", "e2", "e3"], height: 9, signature: "test e1+e2+e3 at 9" },
        { pub: "aa", ids: ["e4"], height: 9, signature: "test e4 at 9" },
      ],
    ]);
    await Promise.all(Array.from({ length: 300 }, (_, n) => node.deleteEnvelope("bb", String(n))));
    expect(signed.slice(2).map(({ ids }) => ids.length)).toEqual([256, 44]);
  });

  it("deletes at the node alone where that refuses the signature, and fails where the node is gone", async () => {
    const refusing = world(false, new HttpError(403, "height is too old"));
    await Promise.all(["e1", "e2"].map((id) => refusing.node.deleteEnvelope("aa", id)));
    expect(refusing.deleted.map(({ path }) => path)).toEqual(["e1", "e2"].map((envID) => ({ pub: "aa", envID })));
    for (const status of [429, 503]) {
      const failing = world(false, new HttpError(status, "later"));
      await expect(failing.node.deleteEnvelope("aa", "e1")).rejects.toThrow("later");
      expect(failing.deleted).toEqual([]);
    }
  });

  it("proves the key over method and path without query where the node asks for it", async () => {
    const { node, deleted } = world(true);
    await node.deleteEnvelope("aa", "e1");
    expect(deleted[0]?.headers).toEqual({ "x-inbox-proof": "DELETE /relay/inbox/e1 relay" });
  });

  it("knows the newest block and the hashes of those up to it", async () => {
    const { node } = world(false);
    expect(await node.newestBlock()).toEqual({ height: 9, hash: "hash of 9" });
    expect(await node.blockHash(3)).toBe("hash of 3");
    expect(await node.blockHash(9)).toBe("hash of 9");
    expect(await node.blockHash(10)).toBe(undefined);
    expect(await node.blockHash(9_000)).toBe(undefined);
  });

  it("lists a mailbox as its owner sees it", async () => {
    const { node, listed } = world(true);
    await node.listInbox("aa", { after: 3, limit: 5 });
    expect(listed).toEqual([{ "x-inbox-proof": "GET /relay/inbox relay" }]);
  });

  it("asks once a connection whether proofs are needed", async () => {
    const { node, setState, statusCalls } = world(true);
    await node.deleteEnvelope("aa", "e1");
    await node.deleteEnvelope("aa", "e2");
    expect(statusCalls()).toBe(1);
    setState("open");
    await node.deleteEnvelope("aa", "e3");
    expect(statusCalls()).toBe(2);
  });

  it("says that an identity which the chain has never seen has no keys", async () => {
    expect(await world(false).node.publishedKeys("aa")).toEqual({ devices: [], identityKey: "", linkedAt: {} });
  });

  it("checks the mailbox after every reconnection", () => {
    const { node, setState } = world(false);
    let calls = 0;
    const stop = node.subscribeInbox("aa", () => {
      calls += 1;
    });
    setState("connecting");
    setState("open");
    expect(calls).toBe(1);
    stop();
    setState("open");
    expect(calls).toBe(1);
  });
});
