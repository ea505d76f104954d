// Nodes of an earlier version among those of this one: they exchange mailboxes as before, and nothing that they do not know reaches them.
import { describe, expect, it } from "vitest";
import { readFrames, writeFrame } from "#node/network/wire/frames.ts";
import { firstMailboxResponseCodec, mailboxRequestCodec, secondMailboxResponseCodec } from "#node/network/wire/relay-codec.ts";
import { decode, encode } from "#shared/codec/codec.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { connectRudePeer } from "#test/support/nodes/rude-peer.ts";
import { mailboxPage, sampleEnvelope, startNetwork } from "#test/support/nodes/test-network.ts";

const REQUEST = { recipients: [sampleEnvelope(1).recipient_pub], since: 5, cursor: null };
const OPENING = {
  mailbox: sampleEnvelope(1).recipient_pub,
  writeKey: "03".repeat(32),
  read: "anyone" as const,
  untilSec: 9,
  height: 7,
  signature: Buffer.alloc(64, 1).toString("base64"),
};
const DELETION = { mailbox: sampleEnvelope(1).recipient_pub, ids: ["a"], height: 7, signature: Buffer.alloc(64, 1).toString("base64") };

const VERSIONS = [
  {
    name: "before deletions travelled",
    protocol: "firstMailbox",
    encodePage: (envelope: Envelope): Uint8Array => encode(firstMailboxResponseCodec, { envelopes: [envelope], cursor: null }),
    decodePage: (frame: Uint8Array): object => decode(firstMailboxResponseCodec, frame),
    known: {},
  },
  {
    name: "before boxes were opened",
    protocol: "secondMailbox",
    encodePage: (envelope: Envelope): Uint8Array =>
      encode(secondMailboxResponseCodec, { envelopes: [envelope], cursor: null, deletions: [DELETION] }),
    decodePage: (frame: Uint8Array): object => decode(secondMailboxResponseCodec, frame),
    known: { deletions: [DELETION] },
  },
] as const;

describe.each(VERSIONS)("a node of a version $name", ({ protocol, encodePage, decodePage, known }) => {
  it("gets mailboxes without what it would take for malformed", async () => {
    const admits = [Buffer.alloc(64, 2).toString("base64")];
    const page = mailboxPage({ envelopes: [sampleEnvelope(5)], admits, cursor: "more", deletions: [DELETION], openings: [OPENING] });
    await using node = await startNetwork(1, { handlers: { mailbox: () => page } });
    await using earlier = await connectRudePeer(66, node.address);
    await pollUntil(() => node.network.peers().some(({ name }) => name === earlier.name));
    const stream = await earlier.open(earlier.names[protocol]);
    const frames: Uint8Array[] = [];
    const ended = new Promise<void>((resolve) => {
      readFrames(stream, { maxBytes: 1_000_000, onFrame: (frame) => void frames.push(frame), onEnd: () => resolve() });
    });
    writeFrame(stream, encode(mailboxRequestCodec, REQUEST));
    await ended;
    expect(frames.map(decodePage)).toEqual([{ envelopes: [sampleEnvelope(5)], cursor: "more", ...known }]);
  });

  it("is asked for its mailboxes as it knows it", async () => {
    await using node = await startNetwork(1);
    await using earlier = await connectRudePeer(66, node.address);
    await earlier.libp2p.handle(earlier.names[protocol], (stream) =>
      readFrames(stream, {
        maxBytes: 1_000_000,
        onFrame: () => {
          writeFrame(stream, encodePage(sampleEnvelope(6)));
          void stream.close();
        },
        onEnd: () => undefined,
      }),
    );
    await pollUntil(() => node.network.peers().some(({ name }) => name === earlier.name));
    const response = await node.network.requestMailbox(earlier.name, REQUEST, AbortSignal.timeout(20_000));
    expect(response).toEqual(mailboxPage({ envelopes: [sampleEnvelope(6)], ...known }));
  });
});
