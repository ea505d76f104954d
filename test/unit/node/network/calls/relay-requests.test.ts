// What clients of a relay of calls may, by requests that an independent client writes; and what hostile ones get.
import { describe, expect, it } from "vitest";
import { CALL_RELAY_LIMITS } from "#node/network/calls/rules/call-relay-limits.ts";
import { CREDENTIAL_S, credentialKey, issueCredential, NONCE_S } from "#node/network/calls/rules/credentials.ts";
import { PeerRules } from "#node/network/calls/rules/peer-rules.ts";
import { type BenchClient, RELAY_ADDRESS, RelayBench } from "#test/support/calls/relay-bench.ts";
import {
  channelData,
  OVER_UDP,
  REQUESTS,
  readAnswer,
  readXor,
  toChannel,
  turnRequest,
  xorAddress,
} from "#test/support/calls/turn-client.ts";

const PEER = "8.8.4.4";
const PORT = 50_123;
const LIFETIME = 0x000d;
const PEER_ADDRESS = 0x0012;
const DATA = 0x0013;
const seconds = (count: number): Buffer => Buffer.from([0, 0, count >> 8, count & 0xff]);
const hello = Buffer.from("hello");
/** A check of connectivity, as another side behind a router sends it first. */
const CHECK = turnRequest({ type: REQUESTS.binding, credential: { username: "abcd:efgh", password: "x" }, hasFingerprint: true });

const permit = (client: BenchClient, address = PEER): ReturnType<BenchClient["ask"]> =>
  client.ask({ type: REQUESTS.permission, attributes: [[PEER_ADDRESS, xorAddress(address, 0)]] });
const send = (client: BenchClient, address: string, port = PORT): void =>
  void client.raw(
    turnRequest({
      type: 0x0016,
      attributes: [
        [PEER_ADDRESS, xorAddress(address, port)],
        [DATA, hello],
      ],
    }),
  );

async function allocated(options = {}): Promise<{ readonly bench: RelayBench; readonly client: BenchClient }> {
  const bench = new RelayBench(options);
  const client = bench.client();
  expect(await client.allocate()).toMatchObject({ type: 0x0103 });
  return { bench, client };
}

describe("an allocation", () => {
  it("is made for who shows a credential, with an address of the relay", async () => {
    const { client, bench } = await allocated();
    const answer = readAnswer(client.received.at(-1) ?? Buffer.alloc(20));
    expect(readXor(answer.attributes.get(0x0016))).toBe(`${RELAY_ADDRESS}:50000`);
    expect(readXor(answer.attributes.get(0x0020))).toBe("93.184.216.34:40000");
    expect(answer.attributes.get(LIFETIME)?.readUInt32BE(0)).toBe(600);
    expect(answer.attributes.get(0x0008)).toHaveLength(20);
    expect(bench.requests.figures()).toMatchObject({ allocations: 1, allocated: 1 });
  });

  it("is the same one for a request that is repeated, and no second one for another", async () => {
    const bench = new RelayBench();
    const client = bench.client();
    const transaction = Buffer.alloc(12, 3);
    await client.allocate({ transaction });
    expect(await client.ask({ type: REQUESTS.allocate, attributes: OVER_UDP, transaction })).toMatchObject({ type: 0x0103 });
    expect(await client.ask({ type: REQUESTS.allocate, attributes: OVER_UDP })).toMatchObject({ code: 437 });
    expect(bench.sockets).toHaveLength(1);
  });

  it("passes data both ways, by indications and by channels", async () => {
    const { client, bench } = await allocated();
    const [socket] = bench.sockets;
    expect(await permit(client)).toMatchObject({ type: 0x0108 });
    send(client, PEER);
    expect(socket?.sent).toEqual([{ bytes: hello, to: { address: PEER, port: PORT } }]);
    socket?.arrive(Buffer.from("world"), { address: PEER, port: PORT });
    const indication = readAnswer(client.received.at(-1) ?? Buffer.alloc(20));
    expect([indication.type, readXor(indication.attributes.get(PEER_ADDRESS))]).toEqual([0x0017, `${PEER}:${PORT}`]);
    expect(indication.attributes.get(DATA)?.toString()).toBe("world");
    expect(await client.ask({ type: REQUESTS.channel, attributes: toChannel(0x4000, PEER, PORT) })).toMatchObject({ type: 0x0109 });
    client.raw(channelData(0x4000, hello));
    expect(socket?.sent).toHaveLength(2);
    socket?.arrive(Buffer.from("again"), { address: PEER, port: PORT });
    expect(client.received.at(-1)).toEqual(channelData(0x4000, Buffer.from("again")));
    expect(bench.requests.figures().bytes).toBe(20);
  });

  it("reaches another one of the relay without a packet of this machine", async () => {
    const { client, bench } = await allocated();
    const other = bench.client("93.184.216.35");
    await other.allocate();
    for (const each of [client, other]) expect(await permit(each, RELAY_ADDRESS)).toMatchObject({ type: 0x0108 });
    send(client, RELAY_ADDRESS, 50_001);
    const got = readAnswer(other.received.at(-1) ?? Buffer.alloc(20));
    expect([got.type, readXor(got.attributes.get(PEER_ADDRESS))]).toEqual([0x0017, `${RELAY_ADDRESS}:50000`]);
    // A port of the machine that is none of an allocation is a service of it.
    send(client, RELAY_ADDRESS, 3_478);
    expect(bench.sockets.flatMap(({ sent }) => sent)).toEqual([]);
    expect(bench.requests.figures().dropped.address).toBe(1);
  });

  it("ends when its client says so, and when it is not refreshed", async () => {
    const { client, bench } = await allocated();
    bench.pass(500);
    await client.allocate();
    expect(await client.ask({ type: REQUESTS.refresh })).toMatchObject({ type: 0x0104 });
    bench.pass(500);
    expect(bench.requests.figures().allocations).toBe(1);
    bench.pass(200);
    expect(bench.requests.figures().allocations).toBe(0);
    expect(bench.sockets[0]?.isClosed).toBe(true);
    expect(await client.allocate()).toMatchObject({ code: 401 });
    client.credential = bench.issue();
    expect(await client.allocate()).toMatchObject({ type: 0x0103 });
    expect(await client.ask({ type: REQUESTS.refresh, attributes: [[LIFETIME, seconds(0)]] })).toMatchObject({ type: 0x0104 });
    expect(bench.requests.figures().allocations).toBe(0);
  });

  it("outlives its credential, but not the longest call", async () => {
    const { client, bench } = await allocated();
    for (let passed = 0; passed < CALL_RELAY_LIMITS.totalS - 500; passed += 500) {
      bench.pass(500);
      const stale = await client.ask({ type: REQUESTS.refresh });
      client.nonce = stale?.attributes.get(0x0015)?.toString() ?? client.nonce;
      if (stale?.code === 438) expect(await client.ask({ type: REQUESTS.refresh })).toMatchObject({ code: 0 });
    }
    expect(bench.requests.figures().allocations).toBe(1);
    bench.pass(600);
    expect(bench.requests.figures().allocations).toBe(0);
  });

  it("is not made where no port is free, and leaves its place", async () => {
    const bench = new RelayBench();
    bench.hasPorts = false;
    const client = bench.client();
    expect(await client.allocate()).toMatchObject({ code: 508 });
    bench.hasPorts = true;
    expect(await client.allocate()).toMatchObject({ type: 0x0103 });
  });
});

describe("a credential", () => {
  it.each([
    ["none", undefined],
    ["another password", { username: "1800000600:0101010101010101", password: "x" }],
    ["a name that was never issued", { username: "root", password: "x" }],
    ["an end that no credential has", { username: "1900000000:0101010101010101", password: "x" }],
  ])("is needed: %s opens nothing", async (_, credential) => {
    const client = new RelayBench().client();
    expect(await client.allocate({ credential })).toMatchObject({ code: 401 });
  });

  it("ends, and so does a nonce", async () => {
    const bench = new RelayBench();
    const client = bench.client();
    bench.pass(CREDENTIAL_S - 1);
    expect(await client.allocate()).toMatchObject({ type: 0x0103 });
    const late = bench.client("93.184.216.36");
    bench.pass(CREDENTIAL_S);
    expect(await late.allocate()).toMatchObject({ code: 401 });
    late.credential = bench.issue();
    bench.pass(NONCE_S);
    expect(await late.ask({ type: REQUESTS.allocate, attributes: OVER_UDP })).toMatchObject({ code: 438 });
  });

  it("is of one client: the nonce of another counts for none", async () => {
    const { client, bench } = await allocated();
    const other = bench.client("93.184.216.35");
    other.nonce = client.nonce;
    expect(await other.ask({ type: REQUESTS.allocate, attributes: OVER_UDP })).toMatchObject({ code: 438 });
  });

  it("does not change an allocation of another one", async () => {
    const { client, bench } = await allocated();
    expect(await client.ask({ type: REQUESTS.refresh, credential: bench.issue() })).toMatchObject({ code: 441 });
    const other = bench.client("93.184.216.35");
    other.credential = client.credential;
    await other.allocate({ type: REQUESTS.permission, attributes: [[PEER_ADDRESS, xorAddress(PEER, 0)]] });
    expect(readAnswer(other.received.at(-1) ?? Buffer.alloc(20)).code).toBe(437);
  });

  it("is none that ends later than those that are issued now", () => {
    const [secret, id, nowSec] = [new Uint8Array(32), new Uint8Array(8), 1_800_000_000];
    const keyAt = (issuedSec: number): Buffer | undefined => credentialKey(secret, issueCredential(secret, id, issuedSec).username, nowSec);
    expect([keyAt(nowSec)?.length, keyAt(nowSec + 1), keyAt(nowSec - CREDENTIAL_S)]).toEqual([16, undefined, undefined]);
  });

  it("is signed over all of the request", async () => {
    const client = new RelayBench().client();
    await client.allocate();
    const { credential, nonce } = client;
    const request = turnRequest({ type: REQUESTS.permission, attributes: [[PEER_ADDRESS, xorAddress(PEER, 0)]], credential, nonce });
    request[27] = (request[27] ?? 0) ^ 1;
    expect(client.raw(request).map((bytes) => readAnswer(bytes).code)).toEqual([401]);
  });
});

describe("an address", () => {
  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "169.254.169.254",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "192.88.99.1",
    "198.18.0.1",
    "45.33.0.99",
  ])("%s is reached by no allocation", async (address) => {
    const { client, bench } = await allocated();
    expect(await permit(client, address)).toMatchObject({ code: 403 });
    expect(await client.ask({ type: REQUESTS.channel, attributes: toChannel(0x4000, address, PORT) })).toMatchObject({ code: 403 });
    send(client, address);
    expect(bench.sockets[0]?.sent).toEqual([]);
    expect(bench.requests.figures().refused.peer).toBe(2);
  });

  it.each([
    ["::ffff:10.0.0.1", "00000000000000000000ffff0a000001"],
    ["NAT64 of it", "0064ff9b00000000000000000a000001"],
    ["6to4 of it", "20020a00000100000000000000000001"],
    ["a public one of IPv6", "20010db8000000000000000000000001"],
  ])("of IPv6 is none that a relay of IPv4 reaches: %s", async (_, hex) => {
    const { client } = await allocated();
    const transaction = Buffer.alloc(12, 5);
    const mask = Buffer.concat([Buffer.from("2112a442", "hex"), transaction]);
    const bytes = Buffer.from(hex, "hex").map((byte, index) => byte ^ (mask[index] ?? 0));
    const value = Buffer.concat([Buffer.from([0, 2, 0x21 ^ 0xc3, 0x12]), bytes]);
    expect(await client.ask({ type: REQUESTS.permission, transaction, attributes: [[PEER_ADDRESS, value]] })).toMatchObject({ code: 443 });
  });

  it("of IPv6 is none of a relay, whatever it allows, nor is what is no address", () => {
    const rules = [true, false].map((allowsPrivate) => new PeerRules(allowsPrivate, RELAY_ADDRESS, () => []));
    for (const address of ["2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::1", "fd00::1", "64:ff9b::a00:1", "8.8.4", ""])
      expect(rules.map((each) => each.isAllowed(address, 0))).toEqual([false, false]);
    // One of IPv4 that is written as IPv6 is judged as what it is.
    expect(rules.map((each) => each.isAllowed("::ffff:10.0.0.1", 0))).toEqual([true, false]);
  });

  it("names all or none of what a request has", async () => {
    const { client, bench } = await allocated();
    const attributes = [PEER, "10.0.0.1"].map((address) => [PEER_ADDRESS, xorAddress(address, 0)] as const);
    expect(await client.ask({ type: REQUESTS.permission, attributes })).toMatchObject({ code: 403 });
    send(client, PEER);
    expect(bench.sockets[0]?.sent).toEqual([]);
  });

  it("is reached at no port of a service", async () => {
    const { client, bench } = await allocated();
    await permit(client);
    send(client, PEER, 53);
    expect(await client.ask({ type: REQUESTS.channel, attributes: toChannel(0x4000, PEER, 123) })).toMatchObject({ code: 403 });
    expect(bench.sockets[0]?.sent).toEqual([]);
  });

  it("of a private network is reached by a relay of one, but no neighbour on the cable", async () => {
    const { client, bench } = await allocated({ allowsPrivate: true });
    for (const address of ["192.168.1.1", "127.0.0.1", "45.33.0.99"]) expect(await permit(client, address)).toMatchObject({ code: 0 });
    expect(await permit(client, "169.254.169.254")).toMatchObject({ code: 403 });
    send(client, "127.0.0.1");
    expect(bench.sockets[0]?.sent).toHaveLength(1);
  });

  it("that was not named comes in with a check of connectivity alone, and rarely", async () => {
    const { client, bench } = await allocated();
    const [socket] = bench.sockets;
    const before = client.received.length;
    const from = { address: PEER, port: PORT };
    socket?.arrive(hello, from);
    socket?.arrive(turnRequest({ type: REQUESTS.binding }), from);
    socket?.arrive(CHECK, { address: "10.0.0.1", port: PORT });
    socket?.arrive(CHECK, { address: PEER, port: 53 });
    expect(client.received).toHaveLength(before);
    for (let count = 0; count < 100; count += 1) socket?.arrive(CHECK, from);
    expect(client.received).toHaveLength(before + CALL_RELAY_LIMITS.checks.burst);
    // The client may answer once it has named the address itself.
    send(client, PEER);
    expect(socket?.sent).toEqual([]);
  });

  it("is forgotten after its time", async () => {
    const { client, bench } = await allocated();
    await permit(client);
    bench.pass(CALL_RELAY_LIMITS.permissionS);
    send(client, PEER);
    expect(bench.sockets[0]?.sent).toEqual([]);
  });
});

describe("a relay keeps within bounds", () => {
  it("with allocations of one credential, of one address, and of all", async () => {
    const bench = new RelayBench();
    const first = bench.client();
    const codes: (number | undefined)[] = [];
    for (let count = 0; count <= CALL_RELAY_LIMITS.allocationsPerCredential; count += 1) {
      const client = bench.client("93.184.216.34", 41_000 + count);
      client.credential = first.credential;
      codes.push((await client.allocate())?.code);
    }
    expect(codes.at(-1)).toBe(486);
    expect(codes.slice(0, -1).every((code) => code === 0)).toBe(true);
    for (let count = 0; bench.sockets.length < CALL_RELAY_LIMITS.allocationsPerAddress; count += 1)
      await bench.client("93.184.216.34", 42_000 + count).allocate();
    expect(await bench.client("93.184.216.34", 43_000).allocate()).toMatchObject({ code: 486 });
    for (let count = 0; bench.sockets.length < CALL_RELAY_LIMITS.allocations; count += 1)
      await bench.client(`93.184.217.${count}`).allocate();
    expect(await bench.client("93.184.218.1").allocate()).toMatchObject({ code: 508 });
    expect(bench.requests.figures()).toMatchObject({ allocations: 64, refused: { quota: 3 } });
  });

  it("with addresses and channels of one allocation", async () => {
    const { client } = await allocated();
    for (let count = 0; count < CALL_RELAY_LIMITS.permissions; count += 1)
      expect(await permit(client, `8.8.4.${count}`)).toMatchObject({ code: 0 });
    expect(await permit(client, "8.8.5.1")).toMatchObject({ code: 508 });
    expect(await client.ask({ type: REQUESTS.channel, attributes: toChannel(0x4000, "8.8.4.1", PORT) })).toMatchObject({ code: 0 });
    expect(await client.ask({ type: REQUESTS.channel, attributes: toChannel(0x4000, "8.8.4.2", PORT) })).toMatchObject({ code: 400 });
    expect(await client.ask({ type: REQUESTS.channel, attributes: toChannel(0x4001, "8.8.4.1", PORT) })).toMatchObject({ code: 400 });
    expect(await client.ask({ type: REQUESTS.channel, attributes: toChannel(0x3fff, "8.8.4.1", PORT) })).toMatchObject({ code: 400 });
  });

  it("with bytes of one allocation, and of a day", async () => {
    const { client, bench } = await allocated({ dailyBytes: 2_000_000 });
    await permit(client);
    await client.ask({ type: REQUESTS.channel, attributes: toChannel(0x4000, PEER, PORT) });
    const packet = channelData(0x4000, Buffer.alloc(1_000));
    const sent = (): number => bench.sockets[0]?.sent.length ?? 0;
    for (let count = 0; count < 2_000; count += 1) client.raw(packet);
    expect(sent()).toBe(1_500);
    bench.pass(1);
    for (let count = 0; count < 2_000; count += 1) client.raw(packet);
    expect(sent()).toBe(2_000);
    expect(bench.requests.figures().dropped).toEqual({ rate: 500, day: 1_500, address: 0 });
    const other = bench.client("93.184.216.35");
    expect(await other.allocate()).toMatchObject({ code: 508 });
    bench.pass(86_400);
    other.credential = bench.issue();
    expect(await other.allocate()).toMatchObject({ code: 0 });
  });

  it("with bytes of a day that began before its thread did", async () => {
    const bench = new RelayBench({ dailyBytes: 1_000, day: { bytes: 1_000, leftMs: 10_000 } });
    expect(bench.requests.day()).toEqual({ bytes: 1_000, leftMs: 10_000 });
    expect(await bench.client().allocate()).toMatchObject({ code: 508 });
    bench.pass(10);
    expect(await bench.client("93.184.216.35").allocate()).toMatchObject({ code: 0 });
  });

  it("with packets that have no data, which count as small ones", async () => {
    const { client, bench } = await allocated();
    await permit(client);
    await client.ask({ type: REQUESTS.channel, attributes: toChannel(0x4000, PEER, PORT) });
    const most = CALL_RELAY_LIMITS.allocationBytes.burst / CALL_RELAY_LIMITS.leastBytes;
    for (let count = 0; count < most + 100; count += 1) client.raw(channelData(0x4000, Buffer.alloc(0)));
    expect(bench.sockets[0]?.sent).toHaveLength(most);
    const before = client.received.length;
    bench.sockets[0]?.arrive(Buffer.alloc(0), { address: PEER, port: PORT });
    expect([client.received.length - before, bench.requests.figures().dropped.rate]).toEqual([0, 101]);
  });

  it("with answers to strangers: few, and hardly larger than what they sent", () => {
    const bench = new RelayBench();
    const client = bench.client();
    const asked = turnRequest({ type: REQUESTS.allocate, attributes: OVER_UDP });
    const answers = Array.from({ length: 1_000 }, () => client.raw(asked)).flat();
    expect(answers).toHaveLength(CALL_RELAY_LIMITS.requests.burst);
    expect(Math.max(...answers.map(({ length }) => length))).toBeLessThanOrEqual(2.5 * asked.length);
    const flood = Array.from({ length: 2_000 }, (_, index) => bench.client(`93.${index >> 8}.${index & 255}.1`).raw(asked)).flat();
    expect(flood.length + answers.length).toBe(CALL_RELAY_LIMITS.strangers.burst);
    expect(bench.requests.figures()).toMatchObject({ allocations: 0 });
    expect(bench.sockets).toEqual([]);
  });

  it("so that a flood of strangers ends no call", async () => {
    const { client, bench } = await allocated();
    const asked = turnRequest({ type: REQUESTS.allocate, attributes: OVER_UDP });
    for (let count = 0; count < 3_000; count += 1) bench.client(`93.${count >> 8}.${count & 255}.1`).raw(asked);
    expect(await client.ask({ type: REQUESTS.refresh })).toMatchObject({ type: 0x0104 });
    expect(await client.ask({ type: REQUESTS.refresh, nonce: "stale" })).toMatchObject({ code: 438 });
    const codes = Array.from({ length: 300 }, () => client.raw(turnRequest({ type: REQUESTS.binding })).length);
    expect(codes.filter((count) => count === 1).length).toBeLessThan(CALL_RELAY_LIMITS.requests.burst);
  });

  it("and says nothing to what is no request, or none that it knows", async () => {
    const { client, bench } = await allocated();
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.alloc(1_500, 0xff),
      turnRequest({ type: 0x0001 }).subarray(0, 12),
      turnRequest({ type: 0x0101 }),
      channelData(0x4000, hello),
      channelData(0x4001, hello).subarray(0, 6),
      Buffer.from([0x40]),
    ])
      expect(client.raw(bytes)).toEqual([]);
    const wrong = turnRequest({ type: REQUESTS.binding, hasFingerprint: true });
    wrong[27] = (wrong[27] ?? 0) ^ 1;
    expect(client.raw(wrong)).toEqual([]);
    expect(bench.sockets[0]?.sent).toEqual([]);
    expect(await client.ask({ type: REQUESTS.refresh, attributes: [[0x0018, Buffer.from([0x80])]] })).toMatchObject({ code: 420 });
    const other = bench.client("93.184.216.35");
    expect(await other.allocate({ attributes: [[0x0019, Buffer.from([6, 0, 0, 0])]] })).toMatchObject({ code: 442 });
    expect(await other.allocate({ attributes: [...OVER_UDP, [0x0017, Buffer.from([2, 0, 0, 0])]] })).toMatchObject({ code: 440 });
  });

  it("and tells anyone from which address they are seen", () => {
    const client = new RelayBench().client();
    const [answer = Buffer.alloc(20)] = client.raw(turnRequest({ type: REQUESTS.binding, hasFingerprint: true }));
    expect(readXor(readAnswer(answer).attributes.get(0x0020))).toBe("93.184.216.34:40000");
    expect(answer.length).toBeLessThan(50);
  });
});
