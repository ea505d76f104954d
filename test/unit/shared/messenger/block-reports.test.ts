// Contacts as witnesses of the chain: what their nodes know travels in their messages and is compared with one's own node.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decodePlaintext } from "#shared/content/content-codec.ts";
import { type BlockReport, isContradiction } from "#shared/messenger/model/conversation.ts";
import { BLOCKS_A_ROUND, BlockReports, MAX_REPORTERS } from "#shared/messenger/receiving/block-reports.ts";
import { MAX_WAIT_MS } from "#shared/messenger/state/clocks/newest-block.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { ManualTime } from "#test/support/worlds/keyring-world.ts";
import { createPair, type Device, keyOf, passTime, restart, textsOf, untilTexts, type World } from "#test/support/worlds/messenger-chat.ts";
import { contentOf, deliver } from "#test/support/worlds/messenger-mail.ts";
import { createTestMessenger, TEST_PREVIOUS_CHAIN, TestNode, type TestRelay } from "#test/support/worlds/messenger-world.ts";

const HASH = "01".repeat(32);
const FORGED = "0f".repeat(32);
const ROUND_MS = 10_000;

let relay: TestRelay;
let world: World;
let ann: Device;
let bob: Device;

beforeEach(async () => {
  ({ relay, world, ann, bob } = await createPair());
});

afterEach(() => world.stop());

function reportOf(device: Device, from: Device): BlockReport | undefined {
  return device.messenger.getSnapshot().blockReports.find(({ person }) => person === keyOf(from));
}

let sent = 0;

async function writes(from: Device, to: Device): Promise<void> {
  const text = `message ${++sent}`;
  from.time.advance(30_000);
  await from.messenger.sendText(keyOf(to), text);
  await pollUntil(() => to.messenger.getSnapshot().conversations.some(({ lastMessage }) => JSON.stringify(lastMessage).includes(text)));
}

async function untilCompared(device: Device, from: Device): Promise<BlockReport> {
  await passTime([device], ROUND_MS, () => typeof reportOf(device, from)?.ownHash === "string");
  const report = reportOf(device, from);
  if (report === undefined) throw new Error("no report");
  return report;
}

describe("a contact's block", () => {
  it("is compared with the own node's, and alike on one chain", async () => {
    await writes(ann, bob);
    const report = await untilCompared(bob, ann);
    expect(report).toMatchObject({ height: 1, hash: HASH, ownHash: HASH });
    expect(isContradiction(report)).toBe(false);
  });

  it("warns where the own node knows another one, over restarts, until a later block is alike", async () => {
    ann.node.blocks = new Map([[7, FORGED]]);
    relay.blocks.set(7, HASH);
    await writes(ann, bob);
    expect(isContradiction(await untilCompared(bob, ann))).toBe(true);
    await restart(bob, relay);
    await pollUntil(() => reportOf(bob, ann) !== undefined);
    expect(reportOf(bob, ann)).toMatchObject({ height: 7, hash: FORGED, ownHash: HASH });
    relay.blocks.set(9, HASH);
    ann.node.blocks = relay.blocks;
    await passTime([ann, bob], ROUND_MS, async () => {
      await ann.messenger.sendText(keyOf(bob), `again ${++sent}`);
      return reportOf(bob, ann)?.height === 9 && reportOf(bob, ann)?.ownHash === HASH;
    });
  });

  it("waits for the own node to have it", async () => {
    relay.blocks.set(5, HASH);
    bob.node.blocks = new Map([[1, HASH]]);
    await writes(ann, bob);
    await pollUntil(() => reportOf(bob, ann)?.height === 5);
    await passTime([bob], ROUND_MS, () => bob.node.calls.includes("blockHash"));
    expect(reportOf(bob, ann)?.ownHash).toBe(null);
    bob.node.blocks = relay.blocks;
    expect(await untilCompared(bob, ann)).toMatchObject({ height: 5, ownHash: HASH });
  });

  it("goes to contacts alone", async () => {
    const eve = await world.join();
    await ann.messenger.sendText(keyOf(eve), "Who are you?");
    await untilTexts(eve, keyOf(ann), ["Who are you?"]);
    await writes(ann, bob);
    const opened = async (device: Device): Promise<readonly string[]> => {
      const mail = relay.history.filter(({ recipient_pub }) => recipient_pub === device.account.devicePub);
      const items = mail.map(({ sender_pub, nonce, ciphertext }) => ({ sender_pub, nonce, ciphertext }));
      return (await device.client.open({ items })).map((item) => {
        const decoded = item.plaintext === null ? undefined : decodePlaintext(item.plaintext);
        return decoded?.form === "content" && decoded.content.block !== undefined ? "block" : "none";
      });
    };
    expect(await opened(eve)).not.toContain("block");
    expect(await opened(bob)).toContain("block");
  });
});

describe("a block of the chain before this one", () => {
  it("is not compared with this one's: its mail may still wait", async () => {
    const block = { height: 1, hash: FORGED };
    const old = contentOf(ann, bob, { kind: "text", text: "From before" }, { chainId: TEST_PREVIOUS_CHAIN, block });
    await deliver(relay, { from: ann, to: bob, plaintext: old });
    await untilTexts(bob, keyOf(ann), ["From before"]);
    expect(reportOf(bob, ann)).toBe(undefined);
    await deliver(relay, {
      from: ann,
      to: bob,
      plaintext: contentOf(ann, bob, { kind: "text", text: "From now" }, { block, at: 1_799_999_999_500 }),
    });
    await untilTexts(bob, keyOf(ann), ["From before", "From now"]);
    expect(reportOf(bob, ann)).toMatchObject(block);
  });
});

describe("a node that does not say what block is its newest", () => {
  it("delays a message for a moment", async () => {
    await ann.messenger.stop();
    ann.node = new TestNode(relay);
    ann.node.hang.set("newestBlock", "before");
    ann.messenger = createTestMessenger(ann, ann.node);
    await ann.messenger.start();
    await ann.messenger.sendText(keyOf(bob), "Good morning");
    await passTime([ann], MAX_WAIT_MS, async () => (await textsOf(bob, keyOf(ann))).includes("Good morning"));
    expect(reportOf(bob, ann)).toBe(undefined);
  });
});

describe("reports of blocks", () => {
  let time = new ManualTime();
  const asked: number[] = [];
  const blocks = new Map<number, string>();
  const contacts = new Set<string>();
  const create = (): BlockReports =>
    new BlockReports({
      node: {
        blockHash: async (height: number) => {
          asked.push(height);
          return blocks.get(height);
        },
      },
      registry: { isContact: (person: string) => contacts.has(person) },
      store: { begin: () => ({ putMeta: () => undefined, commit: async () => undefined }) },
      writer: { run: async (task: () => Promise<void>) => await task() },
      clock: time,
      timers: time,
      changed: () => undefined,
      report: () => undefined,
    } as unknown as ConstructorParameters<typeof BlockReports>[0]);

  beforeEach(() => {
    time = new ManualTime();
    asked.length = 0;
    blocks.clear();
    contacts.clear();
  });

  it("of strangers are nothing, and of contacts at most as many as documented", () => {
    const reports = create();
    reports.receive("stranger", { height: 1, hash: HASH });
    expect(reports.all).toEqual([]);
    for (let index = 0; index <= MAX_REPORTERS; index += 1) {
      contacts.add(`person ${index}`);
      reports.receive(`person ${index}`, { height: 1, hash: HASH });
    }
    expect(reports.all).toHaveLength(MAX_REPORTERS);
    expect(reports.all.some(({ person }) => person === "person 0")).toBe(false);
    reports.stop();
  });

  it("ask the node for few blocks a round, each person in turn, and not for ever", async () => {
    const reports = create();
    for (let index = 0; index < 2 * BLOCKS_A_ROUND; index += 1) {
      contacts.add(`person ${index}`);
      reports.receive(`person ${index}`, { height: 1_000 + index, hash: FORGED });
    }
    time.advance(ROUND_MS);
    await pollUntil(() => time.pendingTimers === 1);
    expect(asked).toHaveLength(BLOCKS_A_ROUND);
    time.advance(ROUND_MS);
    await pollUntil(() => time.pendingTimers === 1);
    expect(new Set(asked).size).toBe(2 * BLOCKS_A_ROUND);
    time.advance(3_600_000);
    await pollUntil(async () => {
      time.advance(ROUND_MS);
      await Promise.resolve();
      return time.pendingTimers === 0 && asked.length >= 4 * BLOCKS_A_ROUND;
    });
    expect(asked).toHaveLength(4 * BLOCKS_A_ROUND);
    reports.stop();
  });

  it("keep a contradiction whatever lower block the person reports next", async () => {
    const reports = create();
    contacts.add("bob");
    blocks.set(50, HASH).set(40, HASH).set(60, HASH);
    reports.receive("bob", { height: 50, hash: FORGED });
    await pollUntil(() => {
      time.advance(ROUND_MS);
      return reports.all.some(isContradiction);
    });
    reports.receive("bob", { height: 40, hash: HASH });
    expect(time.pendingTimers).toBe(0);
    reports.receive("bob", { height: 60, hash: HASH });
    expect(reports.all.some(isContradiction)).toBe(true);
    await pollUntil(() => {
      time.advance(ROUND_MS);
      return !reports.all.some(isContradiction);
    });
    expect(reports.all[0]).toMatchObject({ height: 60, ownHash: HASH });
    expect(asked).not.toContain(40);
    reports.stop();
  });
});
