// Nodes of an earlier version among those of this one: they exchange mailboxes as before, and nothing that they do not know reaches them.
import { describe, expect, it } from "vitest";
import { readFrames, writeFrame } from "#node/network/wire/frames.ts";
import { firstMailboxResponseCodec, mailboxRequestCodec } from "#node/network/wire/relay-codec.ts";
import { decode, encode } from "#shared/codec/codec.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { connectRudePeer } from "#test/support/nodes/rude-peer.ts";
import { sampleEnvelope, startNetwork } from "#test/support/nodes/test-network.ts";

const REQUEST = { recipients: [sampleEnvelope(1).recipient_pub], since: 5, cursor: null };
const DELETION = { mailbox: sampleEnvelope(1).recipient_pub, ids: ["a"], height: 7, signature: Buffer.alloc(64, 1).toString("base64") };

describe("a node of an earlier version", () => {
  it("gets mailboxes without deletions, which it would take for malformed", async () => {
    await using node = await startNetwork(1, {
      handlers: { mailbox: () => ({ envelopes: [sampleEnvelope(5)], cursor: "more", deletions: [DELETION] }) },
    });
    await using earlier = await connectRudePeer(66, node.address);
    await pollUntil(() => node.network.peers().some(({ name }) => name === earlier.name));
    const stream = await earlier.open(earlier.names.firstMailbox);
    const frames: Uint8Array[] = [];
    const ended = new Promise<void>((resolve) => {
      readFrames(stream, { maxBytes: 1_000_000, onFrame: (frame) => void frames.push(frame), onEnd: () => resolve() });
    });
    writeFrame(stream, encode(mailboxRequestCodec, REQUEST));
    await ended;
    expect(frames.map((frame) => decode(firstMailboxResponseCodec, frame))).toEqual([{ envelopes: [sampleEnvelope(5)], cursor: "more" }]);
  });

  it("is asked for its mailboxes as it knows it", async () => {
    await using node = await startNetwork(1);
    await using earlier = await connectRudePeer(66, node.address);
    await earlier.libp2p.handle(earlier.names.firstMailbox, (stream) =>
      readFrames(stream, {
        maxBytes: 1_000_000,
        onFrame: () => {
          writeFrame(stream, encode(firstMailboxResponseCodec, { envelopes: [sampleEnvelope(6)], cursor: null }));
          void stream.close();
        },
        onEnd: () => undefined,
      }),
    );
    await pollUntil(() => node.network.peers().some(({ name }) => name === earlier.name));
    const response = await node.network.requestMailbox(earlier.name, REQUEST, AbortSignal.timeout(20_000));
    expect(response).toEqual({ envelopes: [sampleEnvelope(6)], cursor: null, deletions: [] });
  });
});
