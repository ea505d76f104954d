// Commands that read: what they ask, page by page, and how they show what strangers wrote.
import { describe, expect, it } from "vitest";
import { runCommandLine } from "#node/cli/program.ts";
import type { HttpFetch } from "#shared/api/client.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { type FakeCommandContext, fakeCommandContext } from "#test/support/cli/fake-command-context.ts";
import { alice, bob } from "#test/support/worlds/ledger-world.ts";

const [ALICE, BOB] = [formatAddress(alice.pub), formatAddress(bob.pub)];
const noNode = (): Promise<number> => Promise.reject(new Error("no node was asked for"));

type Answer = (query: URLSearchParams, path: string) => unknown;

/** A node that answers by the first path that fits. */
function nodeWith(answers: Readonly<Record<string, Answer>>): HttpFetch {
  return async (url) => {
    const { pathname, searchParams } = new URL(url);
    const found = Object.entries(answers).find(([path]) => (path.endsWith("/") ? pathname.startsWith(path) : pathname === path));
    const answer = found?.[1](searchParams, pathname);
    return { status: answer === undefined ? 404 : 200, text: async () => JSON.stringify(answer ?? { error: "not found" }) };
  };
}

async function run(line: string, answers: Readonly<Record<string, Answer>>): Promise<FakeCommandContext> {
  const context = fakeCommandContext({ fetch: nodeWith(answers) });
  expect(await runCommandLine(line.split(" "), context, noNode), context.err.join("\n")).toBe(0);
  return context;
}

const payment = (index: number, isOut = true): Record<string, unknown> => ({
  id: `tx${index}`,
  type: "TRANSFER",
  from: isOut ? alice.pub : bob.pub,
  from_addr: isOut ? ALICE : BOB,
  to: isOut ? bob.pub : alice.pub,
  to_addr: isOut ? BOB : ALICE,
  amount_ut: 1_500_000,
  amount: "1.5 T",
  fee_ut: 1_000,
  fee: "0.001 T",
  time: "2026-01-01T00:00:00Z",
  block_index: index,
  block_hash: "00",
  status: "ok",
});

/** An account with transactions in the blocks 1 to count; while it is read, some more come. */
function historyOf(count: number, arriving = 0): Readonly<Record<string, Answer>> {
  let total = count;
  const newestFirst = (): Record<string, unknown>[] =>
    Array.from({ length: total }, (_, at) => payment(total - at, (total - at) % 2 === 0));
  return {
    "/api/address/": (query): unknown => {
      const [limit, offset] = [Number(query.get("limit")), Number(query.get("offset") ?? 0)];
      const all = newestFirst();
      const transactions = all.slice(offset, offset + limit);
      total += arriving;
      return { tx_count: all.length, has_more: offset + transactions.length < all.length, transactions };
    },
    "/v2/chain/accounts/": (query): unknown => {
      const within = newestFirst().filter(
        ({ block_index: index }) =>
          Number(index) > Number(query.get("after_block") ?? -1) && Number(index) < Number(query.get("before_block")),
      );
      // Memos of the last ones do not fit into this page.
      return { transactions: within.slice(0, 900).map((tx) => ({ ...tx, memo: `memo of ${tx.id}` })) };
    },
    "/v2/chain/transactions/": (_, path): unknown => ({ tx: { memo: `memo of ${path.split("/").at(-1)}` } }),
  };
}

describe("history", () => {
  it("shows what left and what came, with memos", async () => {
    const { out, err } = await run(`history ${ALICE} --limit 2`, historyOf(3));
    expect(out[0]).toMatch(/^TIME +TYPE +AMOUNT +FEE +STATUS +FROM OR TO +TRANSACTION +MEMO$/);
    expect(out[1]).toContain(` 1.5 T           ok      ${BOB}  tx3          memo of tx3`);
    expect(out[2]).toContain(`-1.5 T  0.001 T  ok      ${BOB}  tx2          memo of tx2`);
    expect(err).toEqual(["There are 3: raise --limit, or take --all."]);
  });

  it("takes every transaction once while others come, each with its memo", async () => {
    const { out } = await run(`history ${ALICE} --all --json`, historyOf(2_300, 7));
    const { transactions } = JSON.parse(out.join(""));
    const ids: readonly string[] = transactions.map(({ id }: { readonly id: string }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (let index = 1; index <= 2_300; index += 1) expect(ids).toContain(`tx${index}`);
    for (const { id, memo } of transactions) expect(memo).toBe(`memo of ${id}`);
  });

  it("writes a CSV file in which nothing runs", async () => {
    const answers = {
      "/api/address/": (): unknown => ({ tx_count: 1, has_more: false, transactions: [payment(4)] }),
      "/v2/chain/accounts/": (): unknown => ({ transactions: [{ id: "tx4", memo: '=HYPERLINK("x")\n\u001b[2J,' }] }),
    };
    const { out } = await run(`history ${ALICE} --csv`, answers);
    expect(out).toEqual([
      '"time","type","counterparty","amount","fee","status","block","transaction","memo"',
      `"2026-01-01T00:00:00Z","TRANSFER","${BOB}",-1.5,0.001,"ok",4,"tx4","'=HYPERLINK(""x"")⏎�[2J,"`,
    ]);
  });
});

describe("contacts", () => {
  const request = (side: "requester" | "recipient", status: string, intro: string): object => ({
    [`${side}_pub`]: bob.pub,
    [`${side}_addr`]: BOB,
    status,
    intro,
    fee_ut: 5_000,
    tx_id: "tx1",
    created_at: 1_767_225_600,
  });

  it("lists who asked, of all pages, and nothing that a stranger wrote moves the cursor", async () => {
    const answers = {
      "/relay/contacts": (query: URLSearchParams): unknown =>
        query.get("after") === null
          ? { contacts: [request("requester", "pending", "hi\n\u001b[1A\u202e")], has_more: true, next_after: "one" }
          : { contacts: [request("requester", "blocked", "")], has_more: false },
    };
    const { out } = await run(`contacts ${ALICE}`, answers);
    expect(out).toHaveLength(3);
    expect(out[1]).toBe(`2026-01-01T00:00:00Z  pending  0.005 T  ${BOB}  hi⏎�[1A�`);
    expect((await run(`contacts ${ALICE} --status blocked`, answers)).out[1]).toContain(" blocked ");
  });

  it("are listed up to a number, with the cursor of what comes then", async () => {
    const answers = {
      "/relay/contacts": (query: URLSearchParams): unknown => {
        const isFirst = query.get("after") === null;
        expect(query.get("limit")).toBe("1");
        const contacts = [request("requester", isFirst ? "pending" : "blocked", "")];
        return isFirst ? { contacts, has_more: true, next_after: "one" } : { contacts, has_more: false };
      },
    };
    const first = await run(`contacts ${ALICE} --limit 1`, answers);
    expect([first.out.length, first.err]).toEqual([2, ["There are more: --after one"]]);
    expect(JSON.parse((await run(`contacts ${ALICE} --limit 1 --json`, answers)).out.join(""))).toMatchObject({
      count: 1,
      next_after: "one",
    });
    const then = await run(`contacts ${ALICE} --limit 1 --after one`, answers);
    expect([then.out[1]?.includes(" blocked "), then.err]).toEqual([true, []]);
  });

  it("lists whom one asked", async () => {
    const answers = {
      "/relay/contacts/sent": (): unknown => ({ contacts: [request("recipient", "accepted", "It is me")], has_more: false }),
    };
    const { out } = await run(`contacts ${ALICE} --sent`, answers);
    expect(out[1]).toBe(`2026-01-01T00:00:00Z  accepted  0.005 T  ${BOB}  It is me`);
  });
});

describe("blocks", () => {
  it("are taken page after page, down to genesis", async () => {
    const asked: (string | null)[] = [];
    const answers = {
      "/api/blocks": (query: URLSearchParams): unknown => {
        asked.push(query.get("before"));
        const [limit, before] = [Number(query.get("limit")), Number(query.get("before") ?? 151)];
        return Array.from({ length: Math.min(limit, before) }, (_, at) => ({
          index: before - 1 - at,
          hash: "aa",
          time: "2026-01-01T00:00:00Z",
          validator: BOB,
          tx_count: 0,
          total_fees_ut: 0,
        }));
      },
    };
    const { out } = await run("blocks --limit 500 --json", answers);
    expect(JSON.parse(out.join(""))).toMatchObject({ count: 151 });
    expect(asked).toEqual([null, "51"]);
  });
});

describe("status", () => {
  it("says how far behind a node is, and why one stands still", async () => {
    const status = (sync: object): Readonly<Record<string, Answer>> => ({
      "/api/well-known-version": (): unknown => ({ node_version: "9.9.9", protocol_version: 1, features: [] }),
      "/api/status": (): unknown => ({
        chain_id: "c",
        mode: "full",
        sync,
        peers: 3,
        pending_txs: 0,
        mailbox_envelopes: 2,
        uptime_seconds: 90,
      }),
    });
    const sync = { height: 5, target_height: 25, tip_time: "2026-01-01T00:00:00Z" };
    const behind = await run("status", status({ ...sync, state: "syncing", eta_seconds: 61 }));
    expect(behind.out).toContain("state        syncing, 20 blocks behind, about 1 min 1 s left");
    const stalled = await run("status", status({ ...sync, state: "stalled", reason: "no\u001b[0m peers" }));
    expect(stalled.out).toContain("state        stalled: no�[0m peers");
  });
});

describe("relay status", () => {
  const relayOf = (publicKey: string): Record<string, unknown> => ({
    pub_key: publicKey,
    address: formatAddress(publicKey),
    relay: { x25519_pub_key: "00", fee_per_msg_ut: 500 },
  });
  const STATS = { relay_proofs: 3, reputation_rank: "good", reputation_score: 9, wallet_binding_address: "" };

  it("of one account asks for that one alone among thousands", async () => {
    // Around a byte's end: the key before borrows from the digits above.
    const keys = ["00", "7f", "80"].map((first) => first.padEnd(64, "0"));
    const others = Array.from({ length: 5_000 }, (_, index) => index.toString(16).padStart(8, "0").padEnd(64, "a"));
    const relays = [...keys, ...others].sort();
    for (const key of keys) {
      const asked: string[] = [];
      const { out } = await run(`relay status ${key} --json`, {
        "/api/relays": (query): unknown => {
          asked.push(String(query));
          const limit = Number(query.get("limit") ?? 10_000);
          return relays
            .filter((other) => other > (query.get("after") ?? ""))
            .slice(0, limit)
            .map(relayOf);
        },
        "/api/node/": (): unknown => STATS,
      });
      expect(JSON.parse(out.join(""))).toMatchObject({ pub_key: key, relay_proofs: 3 });
      expect(asked).toEqual([expect.stringMatching(/(?:^|&)limit=1(?:$|&)/)]);
    }
  });

  it("shows bonds, and whether relays keep mail", async () => {
    const keeper = { bond_ut: 0, withdrawn_ut: 1_500_000, available_at: 1_767_225_600, standing: "out", left_at: 1_767_225_000 };
    const relays = [relayOf(alice.pub), { ...relayOf(bob.pub), keeper: { bond_ut: 2_000_000, standing: "in", weight: 3 } }];
    const all = await run("relay status", { "/api/relays": (): unknown => relays });
    expect(all.out.join("\n")).toMatch(/BOND +KEEPS MAIL/);
    expect(all.out.join("\n")).toMatch(/2 T +in/);
    const answers = { "/api/node/": (): unknown => STATS };
    const one = await run(`relay status ${bob.pub}`, { ...answers, "/api/relays": (): unknown => [relays[1]] });
    expect(one.out.join("\n")).toMatch(/bond +2 T\n.*keeps mail +in, weight 3/);
    const left = await run(`relay status ${bob.pub}`, { ...answers, "/api/relays": (): unknown => [{ ...relayOf(bob.pub), keeper }] });
    expect(left.out.join("\n")).toMatch(/coming back +1\.5 T from .*2026.*\n.*keeps mail +out/);
  });

  it("of an account that is none says so, whatever relay comes after it", async () => {
    const context = fakeCommandContext({ fetch: nodeWith({ "/api/relays": (): unknown => [relayOf(bob.pub)] }) });
    expect(await runCommandLine(["relay", "status", alice.pub], context, noNode)).toBeGreaterThan(0);
    expect(context.err.join("")).toContain("is not a registered relay");
  });
});
