// Whose mail it is: clients of one network hand in so much a day together, and a flood displaces no one else's.
import { describe, expect, it } from "vitest";
import { MAILBOX_LIMITS } from "#node/relay/mailbox-limits.ts";
import { type Envelope, envelopeBytes } from "#shared/protocol/mail/envelope.ts";
import { sampleEnvelope } from "#test/support/nodes/test-network.ts";
import { mailStores } from "#test/support/postgres/mail-stores.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";

const SIZE = envelopeBytes(sampleEnvelope(1));

async function send({ server }: ApiWorld, remoteAddress: string, envelope: Envelope, headers = {}): Promise<number> {
  const payload = { envelope };
  return (await server.app.inject({ method: "POST", url: "/relay/broadcast", remoteAddress, headers, payload })).statusCode;
}

describe.each(mailStores())("a flood over HTTP, with mailboxes in %s", (_name, mail) => {
  it("from one network is refused alone, by IPv4 and IPv6; the node's own programs are not counted", async () => {
    const limits = { ...MAILBOX_LIMITS, sourceDayBytes: 3 * SIZE + 10 };
    await using world = await createApiWorld({ mail, relay: { limits }, api: { localSecret: "secret" } });
    const flood = ["203.0.113.1", "203.0.113.1", "203.0.113.77", "203.0.113.78", "203.0.114.1"];
    const codes: number[] = [];
    for (const [n, address] of flood.entries()) codes.push(await send(world, address, sampleEnvelope(n)));
    expect(codes).toEqual([200, 200, 200, 429, 200]);
    const wide = ["2001:db8:1::1", "2001:db8:1:2::1", "2001:db8:1:3::1", "2001:db8:1:4::1", "2001:db8:2::1"];
    for (const [n, address] of wide.entries()) expect(await send(world, address, sampleEnvelope(10 + n))).toBe(n === 3 ? 429 : 200);
    for (let n = 20; n < 25; n += 1) {
      expect(await send(world, "203.0.113.1", sampleEnvelope(n), { authorization: "Bearer secret" })).toBe(200);
      expect(await send(world, "127.0.0.1", sampleEnvelope(n + 10))).toBe(200);
    }
  });

  it("displaces nothing that came from elsewhere", async () => {
    const limits = { ...MAILBOX_LIMITS, recipientEnvelopes: 5 };
    await using world = await createApiWorld({ mail, relay: { limits } });
    await send(world, "198.51.100.1", sampleEnvelope(0));
    for (let n = 1; n < 20; n += 1) expect(await send(world, "203.0.113.1", sampleEnvelope(n))).toBe(200);
    const recipientPub = sampleEnvelope(0).recipient_pub;
    const { items } = await world.mail.listText({ recipientPub, limit: 9 });
    const ids = (JSON.parse(`[${items}]`) as readonly { readonly id: string }[]).map(({ id }) => id);
    expect(ids).toEqual([0, 16, 17, 18, 19].map((n) => sampleEnvelope(n).id));
  });
});
