// Nodes of an earlier version among those of this one: they exchange mailboxes as before, and nothing that they do not know reaches them.
import { describe, expect, it } from "vitest";
import { nodeKeyOf } from "#node/network/peer-name.ts";
import { readFrames, writeFrame } from "#node/network/wire/frames.ts";
import { mailRequestCodec } from "#node/network/wire/mail-codec.ts";
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

describe("a node of a version before public cards", () => {
  it("is asked for none, which costs neither of them score", async () => {
    await using node = await startNetwork(1);
    await using earlier = await connectRudePeer(66, node.address);
    const known = (): { readonly score: number } | undefined => node.network.peers().find(({ name }) => name === earlier.name);
    const { mail } = earlier.names;
    let requests = 0;
    await earlier.libp2p.handle(mail, (stream) => {
      requests += 1;
      stream.abort(new Error("malformed"));
    });
    await pollUntil(() => known() !== undefined);
    const target = { key: nodeKeyOf(earlier.name) ?? "", multiaddr: null };
    for (let count = 0; count < 3; count += 1) {
      const request = { type: "card", device: "ab".repeat(32), person: "cd".repeat(32), card: null } as const;
      const asked = node.network.requestMail(target, request, AbortSignal.timeout(20_000));
      await expect(asked).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
    }
    expect([requests, known()?.score, earlier.isConnected]).toEqual([0, 0, true]);
  });

  it("knows no card by mail/1, and a node of this one takes it there for malformed as well", async () => {
    await using node = await startNetwork(1, { handlers: { mail: () => Promise.resolve({ type: "card", card: null }) } });
    await using peer = await connectRudePeer(66, node.address);
    await pollUntil(() => node.network.peers().some(({ name }) => name === peer.name));
    const ask = async (protocol: string): Promise<number> => {
      const frames: Uint8Array[] = [];
      const stream = await peer.open(protocol);
      const ended = new Promise<void>((resolve) => {
        readFrames(stream, { maxBytes: 1_000, onFrame: (frame) => void frames.push(frame), onEnd: () => resolve() });
      });
      writeFrame(stream, encode(mailRequestCodec, { type: "card", device: "ab".repeat(32), person: "cd".repeat(32), card: null }));
      await ended;
      return frames.length;
    };
    expect([await ask(peer.names.cards), await ask(peer.names.mail)]).toEqual([1, 0]);
  });
});
