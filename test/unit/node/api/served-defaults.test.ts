// How much a server sends that was not asked for a number: the numbers of the specification, with more than that to send.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { boxKeyPair, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { CONTRACTS_GENESIS, callNative } from "#test/support/chain/contract-calls.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { actor, alice, deviceKey } from "#test/support/worlds/ledger-world.ts";

/** More than every default but that of the feed. */
const MANY = 110;
const PUB = deviceKey(70);
const TOKENS = nativeContractId("tokens");
const GENESIS = { ...CONTRACTS_GENESIS, accounts: [{ pub_key: alice.pub, balance_ut: 1_000_000_000 }] };
let world: ApiWorld;

beforeAll(async () => {
  world = await createApiWorld({ genesis: GENESIS });
  const sender = boxKeyPair(new Uint8Array(32).fill(71));
  const { mempool } = world.services;
  for (let n = 0; n < MANY; n += 1) {
    await mempool.submit(callNative(alice, "tokens", "issue", { args: [`t${n}`, "T", "T", 0, 1] }), world.clock.nowMs());
    if (n % 5 === 0) world.commit();
    const nonce = new Uint8Array(24).fill(n);
    await world.relay.broadcast(sealEnvelope({ plaintext: utf8("x"), recipientPub: PUB, sender, senderMasterPub: "", nonce, sentAt: n }));
  }
  world.commit();
});
afterAll(() => world[Symbol.asyncDispose]());

async function get(url: string): Promise<unknown> {
  return (await world.server.app.inject(url)).json();
}

const lengthOf = (value: unknown): number => (value as readonly unknown[]).length;
const fieldOf =
  (name: string): ((value: unknown) => number) =>
  (value): number =>
    lengthOf((value as Readonly<Record<string, unknown>>)[name]);
describe("what a server sends without a limit", () => {
  it.each<readonly [string, (response: unknown) => number, number]>([
    ["/api/blocks", lengthOf, 20],
    ["/api/txs/recent", lengthOf, 20],
    [`/api/address/${alice.pub}`, fieldOf("transactions"), 50],
    [`/v2/chain/accounts/${alice.pub}/transactions`, fieldOf("transactions"), 100],
    [`/relay/inbox?pub=${PUB}`, fieldOf("items"), 50],
    [`/api/contracts/${TOKENS}/logs`, fieldOf("logs"), 50],
    ["/api/tokens", fieldOf("tokens"), MANY],
    ["/api/tokens?after=a", fieldOf("tokens"), 100],
  ])("%s", async (url, count, expected) => {
    expect(count(await get(url))).toBe(expected);
  });

  it("/api/node looks at 200 blocks", async () => {
    expect(await get(`/api/node/${actor(9).pub}`)).toMatchObject({ recent_window_blocks: 200 });
  });
});
