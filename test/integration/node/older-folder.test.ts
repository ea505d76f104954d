// A node starts on a folder of an older version: it brings the chain up to date, says so in its log, and continues with it.
import { join } from "node:path";
import { expect, it } from "vitest";
import { SCHEMA_VERSION } from "#node/storage/chain-schema.ts";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import { toHex } from "#shared/util/bytes.ts";
import { schemaVersion, writeVersion0 } from "#test/support/chain/version-0.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type RunningNode, startNode } from "#test/support/nodes/start-node.ts";

const RECIPIENT = toHex(ed25519PublicKey(new Uint8Array(32).fill(9)));

/** Asks for tokens, and waits for the block with them. */
async function gift({ client }: RunningNode): Promise<string> {
  const { id } = await client.requestFaucet({ body: { to: RECIPIENT, amount_ut: 1_000 } });
  await pollUntil(() => readCommitted(client, id), { what: "the gift in a block" });
  return id;
}

/** What the chain is, as far as it does not grow. */
async function answers({ client }: RunningNode, id: string): Promise<unknown> {
  return [
    await client.getTransaction({ txid: id }),
    await client.getBlock({ index: 1 }),
    await client.getAddress({ addr: RECIPIENT, limit: 100 }),
  ];
}

it("continues the chain of a folder of version 0", async () => {
  await using folder = await createTemporaryFolder();
  const dataDir = join(folder.path, "data");
  let before: unknown;
  let id = "";
  {
    await using node = await startNode({ dataDir });
    id = await gift(node);
    before = await answers(node, id);
    expect(await node.stop()).toBe(0);
  }
  writeVersion0(dataDir);
  expect(schemaVersion(dataDir)).toBe(0);
  await using node = await startNode({ dataDir });
  expect(node.log()).toContain("Bringing the data folder of an older version up to date");
  expect(await answers(node, id)).toEqual(before);
  expect(await gift(node)).not.toBe(id);
  expect(await node.stop()).toBe(0);
  expect(schemaVersion(dataDir)).toBe(SCHEMA_VERSION);
});
