// The node as linking needs it.
import { expect, it } from "vitest";
import { createLinkNode } from "#shared/messenger/node/link-node.ts";
import type { NodeConnection } from "#shared/messenger/node/messenger-node.ts";
import { isSignedDeletion } from "#shared/protocol/mail/box-proof.ts";
import { boxKeyPair } from "#shared/protocol/mail/envelope.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { toHex } from "#shared/util/bytes.ts";

interface Deleted {
  readonly pub: string;
  readonly ids: readonly string[];
  readonly height: number;
  readonly signature: string;
}

it("removes what was read together by one signature of the mailbox's key, again and again", async () => {
  const deleted: Deleted[] = [];
  const client = {
    listBlocks: async (): Promise<unknown> => [{ index: 7 }],
    deleteEnvelopes: async ({ body }: { readonly body: Deleted }): Promise<void> => void deleted.push(body),
  };
  const node = createLinkNode({ client, live: { onState: () => () => undefined } } as unknown as NodeConnection, "test");
  const mailbox = boxKeyPair(new Uint8Array(32).fill(3));
  await Promise.all(["a", "b"].map((id) => node.remove(mailbox, id)));
  await node.remove(mailbox, "c");
  expect(deleted.map(({ ids }) => ids)).toEqual([["a", "b"], ["c"]]);
  for (const { pub, ...rest } of deleted) {
    expect(pub).toBe(toHex(mailbox.publicKey));
    expect(await isSignedDeletion("test", { mailbox: pub, ...rest }, verifyZip215)).toBe(true);
  }
});
