// Lists of contact requests over HTTP: pages of 2 MiB that make up the whole list.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RESPONSE_BYTES } from "#node/api/limits.ts";
import { createReadQueries } from "#node/explorer/queries/read-queries.ts";
import { createNodeClient } from "#shared/api/client.ts";
import { readAllContacts } from "#shared/messenger/node/all-contacts.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toHex } from "#shared/util/bytes.ts";
import { injectFetch } from "#test/support/api/inject-fetch.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob, carol, GENESIS, START_MS, signed } from "#test/support/worlds/ledger-world.ts";

const REQUESTS = 2_400;
const BLOCKS = 4;

let folder: TemporaryFolder;
let chain: TestChain;
let world: ApiWorld;
/** Whom alice asked, by block and id of the request. */
let asked: readonly string[];

beforeAll(async () => {
  const accounts = GENESIS.accounts.map((account) => ({ ...account, balance_ut: 1_000_000_000 }));
  folder = await createTemporaryFolder();
  chain = openTestChain(folder.path, { genesis: { ...GENESIS, accounts } });
  const { explorer } = createReadQueries(chain.database, { nowMs: (): number => START_MS, monotonicMs: (): number => 0 });
  world = await createApiWorld({ services: { explorer } });
  asked = Array.from({ length: BLOCKS }, (_, block) => {
    const to = Array.from({ length: REQUESTS / BLOCKS }, (_unused, n) => keyOf(block * REQUESTS + n));
    const requests = [...(block === 0 ? [bob.pub] : []), ...to].map((recipient) => {
      const intro = recipient === bob.pub ? "It is me" : "é".repeat(280);
      return signed(alice, { type: "CONTACT_REQUEST", to: recipient, amount: 5_000, payload: { intro } });
    });
    chain.commit(requests, START_MS + 1_000 * (block + 1));
    return requests.sort((a, b) => (a.id < b.id ? -1 : 1)).map((request) => request.to ?? "");
  }).flat();
}, 120_000);

afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
  chain?.close();
  await folder?.remove();
});

function keyOf(n: number): string {
  const seed = new Uint8Array(32).fill(7);
  new DataView(seed.buffer).setUint32(0, n);
  return toHex(ed25519PublicKey(seed));
}

describe("a long list of contact requests", () => {
  it("comes in pages of 2 MiB, complete and oldest first", async () => {
    const seen: string[] = [];
    const pages: number[] = [];
    for (let after = "", hasMore = true; hasMore; ) {
      const query = after === "" ? "" : `&after=${encodeURIComponent(after)}`;
      const response = await world.server.app.inject(`/relay/contacts/sent?pub=${alice.pub}${query}`);
      expect(response.statusCode).toBe(200);
      expect(response.rawPayload.length).toBeLessThan(RESPONSE_BYTES + 1_000);
      const page = response.json<{ count: number; contacts: { recipient_pub: string }[]; has_more: boolean; next_after?: string }>();
      expect(page.count).toBe(page.contacts.length);
      expect(page.next_after !== undefined).toBe(page.has_more);
      pages.push(page.count);
      seen.push(...page.contacts.map((contact) => contact.recipient_pub));
      hasMore = page.has_more;
      after = page.next_after ?? "";
    }
    expect(pages.length).toBeGreaterThan(1);
    expect(seen).toEqual(asked);
  });

  it("is read whole by the interface, also in small pages", async () => {
    const client = createNodeClient({ baseUrl: "http://127.0.0.1", fetch: injectFetch(world.server.app) });
    const whole = await readAllContacts((page) => client.listSentContacts({ pub: alice.pub, ...page }));
    expect(whole.map((contact) => contact.recipient_pub)).toEqual(asked);
    const small = await readAllContacts((page) => client.listSentContacts({ pub: alice.pub, limit: 601, ...page }));
    expect(small).toEqual(whole);
  });

  it("has one page where it is short, on the other side too", async () => {
    const { count, has_more, contacts } = (await world.server.app.inject(`/relay/contacts?pub=${bob.pub}`)).json();
    expect({ count, has_more }).toEqual({ count: 1, has_more: false });
    expect(contacts).toMatchObject([{ requester_pub: alice.pub, intro: "It is me", status: "pending" }]);
  });

  it.each(["nonsense", "12", "-1.tx", "1e3.tx"])("refuses the cursor %s", async (after) => {
    expect((await world.server.app.inject(`/relay/contacts/sent?pub=${alice.pub}&after=${after}`)).statusCode).toBe(400);
  });

  it("ends for a node that never ends it", async () => {
    const endless = { contacts: [], has_more: true, next_after: "1.a" };
    await expect(readAllContacts(() => Promise.resolve(endless))).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
  });
});

describe("a key that was blocked", () => {
  it("and never asked is no contact request: its blocker lists it on demand, itself never", async () => {
    await using here = await createApiWorld();
    const reader = createNodeClient({ baseUrl: "", fetch: injectFetch(here.server.app) });
    const submit = async (tx: Transaction): Promise<void> => void (await here.services.mempool.submit(tx, here.clock.nowMs()));
    await submit(signed(alice, { type: "CONTACT_REQUEST", to: bob.pub, amount: 5_000, payload: {} }));
    here.commit();
    await submit(signed(bob, { type: "BLOCK_CONTACT", to: alice.pub, payload: {} }));
    await submit(signed(bob, { type: "BLOCK_CONTACT", to: carol.pub, payload: {} }));
    here.commit();
    const asked = { requester_pub: alice.pub, status: "blocked", fee_ut: 5_000 };
    const stranger = { requester_pub: carol.pub, status: "blocked", fee_ut: 0 };
    expect(await reader.listContacts({ pub: bob.pub })).toMatchObject({ count: 1, contacts: [asked], has_more: false });
    const { contacts } = await reader.listContacts({ pub: bob.pub, include: "blocks" });
    expect(contacts).toHaveLength(2);
    expect(contacts).toEqual(expect.arrayContaining([expect.objectContaining(asked), expect.objectContaining(stranger)]));
    expect((await reader.listSentContacts({ pub: carol.pub })).contacts).toEqual([]);
    expect((await reader.listSentContacts({ pub: alice.pub })).contacts).toMatchObject([{ recipient_pub: bob.pub, status: "blocked" }]);
    expect((await here.server.app.inject(`/relay/contacts?pub=${bob.pub}&include=all`)).statusCode).toBe(400);
  });
});
