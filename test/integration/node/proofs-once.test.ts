// A proof of a mailbox key that was seen on its way counts once, also when the node is killed and started again in between.
import { join } from "node:path";
import { expect, it } from "vitest";
import { readEndpointFile } from "#node/config/files/endpoint-file.ts";
import { boxKeyPair, sealEnvelope, x25519 } from "#shared/protocol/mail/envelope.ts";
import { formatInboxProof } from "#shared/protocol/mail/inbox-proof.ts";
import { fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type RunningNode, startNode } from "#test/support/nodes/start-node.ts";

const owner = boxKeyPair(new Uint8Array(32).fill(70));
const pub = toHex(owner.publicKey);

const ENVELOPE = sealEnvelope({
  plaintext: utf8("hi"),
  recipientPub: pub,
  sender: boxKeyPair(new Uint8Array(32).fill(71)),
  senderMasterPub: "",
  nonce: new Uint8Array(24).fill(1),
  sentAt: 1,
});

async function broadcast({ client }: RunningNode): Promise<void> {
  await client.broadcastEnvelope({ body: { envelope: ENVELOPE } });
}

/** A proof whose clock is ahead of the node's: the start of the node says nothing about whether it was shown before. */
async function proofOfDeletion({ client }: RunningNode): Promise<string> {
  const { relay_pub: relayPub } = await client.getStatus({});
  const secret = x25519(owner.secretKey, fromHex(relayPub)) ?? new Uint8Array(32);
  const unixSeconds = Math.floor(Date.now() / 1000) + 200;
  return formatInboxProof(secret, { method: "DELETE", path: `/relay/inbox/${ENVELOPE.id}`, unixSeconds, nonce: "ab".repeat(16) });
}

async function deleteWith(node: RunningNode, proof: string): Promise<number> {
  const url = `${node.baseUrl}/relay/inbox/${ENVELOPE.id}?pub=${pub}`;
  const response = await fetch(url, { method: "DELETE", headers: { "x-inbox-proof": proof } });
  await response.arrayBuffer();
  return response.status;
}

it("a captured proof deletes nothing that came again after a kill", async () => {
  await using folder = await createTemporaryFolder();
  const dataDir = join(folder.path, "data");
  const node = await startNode({ dataDir });
  await broadcast(node);
  const proof = await proofOfDeletion(node);
  expect([await deleteWith(node, proof), await deleteWith(node, proof)]).toEqual([200, 403]);
  await broadcast(node);
  await node.kill();
  await using again = await startNode({ dataDir });
  expect(await deleteWith(again, proof)).toBe(403);
  const { secret } = readEndpointFile(join(dataDir, "endpoint.json"))?.node ?? { secret: "" };
  const list = await fetch(`${again.baseUrl}/relay/inbox/count?pub=${pub}`, { headers: { authorization: `Bearer ${secret}` } });
  expect(await list.json()).toMatchObject({ count: 1 });
  expect(await again.stop()).toBe(0);
});
