// Two days after keepers had the mail alone: what a node neither keeps nor reads goes once its keepers list it, and nothing before.
import { describe, expect, it, onTestFinished } from "vitest";
import { createLog } from "#node/observability/log.ts";
import { KEEPER_LIMITS } from "#node/relay/keepers/keeper-limits.ts";
import type { BoxKeepers } from "#node/relay/keepers/placing/keeper-ranks.ts";
import { ForgetMail } from "#node/relay/keepers/sending/forget-mail.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import type { BoxPage, MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { keeperOf } from "#test/support/nodes/mail-keepers.ts";
import { mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { CHAIN_ID } from "#test/support/worlds/ledger-world.ts";
import { MAIL_HEIGHT, MAIL_START_SEC, type MailNode, mailNode, unsealedEnvelope } from "#test/support/worlds/mail-world.ts";

const KEEPERS = [1, 2, 3].map((n) => keeperOf(n, `/ip4/8.8.${n}.1/tcp/1`));
const OWN = "00".repeat(32);
const [KEPT, READ, NAMED] = ["ab", "cd", "ef"].map((hex) => hex.repeat(32)) as [string, string, string];
const owner = mailboxOwner(CHAIN_ID, 7, MAIL_START_SEC);

interface World {
  readonly node: MailNode;
  /** Ids that each keeper lists, of all boxes. */
  readonly listed: Map<string, Set<string>>;
  readonly asked: (readonly [string, MailRequest])[];
  readonly lies: string[];
  readonly away: Set<string>;
  /** Boxes that are followed at keepers. */
  readonly followed: Set<string>;
  mayForget: boolean;
  onAsk: (keeper: string, request: MailRequest) => void;
  pageOf: (page: BoxPage) => Partial<BoxPage>;
  /** One round, to its end. */
  round(): Promise<void>;
}

async function world(): Promise<World> {
  const node = await mailNode();
  const time = new VirtualTime();
  const made: World = {
    node,
    listed: new Map(KEEPERS.map(({ key }) => [key, new Set<string>()])),
    ...{ asked: [], lies: [], away: new Set<string>(), followed: new Set<string>(), mayForget: true },
    onAsk: () => undefined,
    pageOf: () => ({}),
    async round(): Promise<void> {
      const { looks } = forgetting.figures;
      time.advance(KEEPER_LIMITS.forgetMs);
      const isOver = (): boolean => {
        time.advance(1_000);
        return forgetting.figures.looks > looks;
      };
      await pollUntil(isOver, { intervalMs: 1, what: "a round to end" });
    },
  };
  const respond = (keeper: string, request: MailRequest): MailResponse => {
    const ids = made.listed.get(keeper) ?? new Set();
    if (request.type === "put") for (const { envelope } of request.items) ids.add(envelope.id);
    if (request.type !== "get") return { type: "receipts", receipts: [] };
    const boxes = request.boxes.map(({ box, after, afterDeletion }) => {
      const page: BoxPage = {
        ...{ box, ids: [...ids], lastSeq: after + ids.size, opening: null, deletions: [] },
        ...{ lastDeletion: afterDeletion, hasMore: false },
      };
      return { ...page, ...made.pageOf(page) };
    });
    return { type: "page", scope: "00".repeat(16), boxes, items: [] };
  };
  const forgetting = new ForgetMail({
    counts: (): boolean => true,
    ...{ ownKey: OWN, relay: node.relay, store: node.store, clock: time.clock(0), timers: time },
    ranks: {
      keepersOf: (): BoxKeepers => ({ keeping: KEEPERS, standingIn: [], draining: [] }),
      isKeeper: (_key, box): boolean => box === KEPT,
    },
    isFollowed: (box): boolean => made.followed.has(box),
    mayForget: (): boolean => made.mayForget,
    ask: (keeper, request): Promise<MailResponse> => {
      made.asked.push([keeper, request]);
      made.onAsk(keeper, request);
      return made.away.has(keeper) ? Promise.reject(new CodedError("UPSTREAM_FAILED", "away")) : Promise.resolve(respond(keeper, request));
    },
    onLie: (keeper): void => void made.lies.push(keeper),
    log: createLog("json", { write: () => undefined }),
  });
  onTestFinished(() => forgetting.close());
  forgetting.start();
  return made;
}

const put = async ({ node }: World, envelopes: readonly Envelope[]): Promise<readonly string[]> => {
  await node.relay.receive(envelopes);
  return envelopes.map(({ id }) => id);
};
const mailOf = (count: number): readonly Envelope[] => Array.from({ length: count }, (_, n) => owner.envelope(n + 1));
const idsHere = ({ node }: World, box = owner.pub): readonly string[] => node.store.listIds(box, 0, 9_999).map(({ id }) => id);
const listAll = ({ listed }: World, ids: readonly string[]): void => {
  for (const at of listed.values()) for (const id of ids) at.add(id);
};

describe("mail that a node does not keep", () => {
  it("goes where all keepers list it, and stays that is kept or read here, or has no id of keepers", async () => {
    const made = await world();
    const foreign = await put(made, mailOf(200));
    const others = await put(made, [KEPT, READ, NAMED].map(unsealedEnvelope));
    const named = await put(made, [
      { ...owner.envelope(900), id: "a name" },
      { ...owner.envelope(901), id: "00".repeat(16) },
    ]);
    made.node.relay.serve(READ);
    made.node.relay.readers.serveGateway([{ box: NAMED }]);
    listAll(made, [...foreign, ...others]);
    made.node.relay.listText({ recipientPub: owner.pub, limit: 1 });
    made.mayForget = false;
    await made.round();
    expect([made.asked, made.node.store.totalCount()]).toEqual([[], 205]);
    made.mayForget = true;
    await made.round();
    expect(idsHere(made)).toEqual(named);
    // To a keeper that would be an offence.
    expect(made.asked.filter(([, { type }]) => type !== "get")).toEqual([]);
    expect([KEPT, READ, NAMED].flatMap((box) => idsHere(made, box))).toEqual(others);
    // Other nodes may bring it back, and no list is of before.
    expect(made.node.store.deleted.has(owner.pub, foreign[0] ?? "")).toBe(false);
    expect(made.node.relay.listText({ recipientPub: owner.pub, limit: 1 }).items).toContain("a name");
  });

  it("stays while its box is followed for someone who read it a moment ago, and would not be fetched again", async () => {
    const made = await world();
    const ids = await put(made, mailOf(2));
    listAll(made, ids);
    made.followed.add(owner.pub);
    await made.round();
    expect(idsHere(made)).toEqual(ids);
    made.followed.clear();
    await made.round();
    expect(idsHere(made)).toEqual([]);
  });

  it("is given to a keeper that lacks it, and goes in a later round", async () => {
    const made = await world();
    const [listed = "", lacking = ""] = await put(made, mailOf(2));
    listAll(made, [listed]);
    const [first, , third] = KEEPERS.map(({ key }) => made.listed.get(key));
    first?.add(lacking);
    third?.delete(listed);
    await made.round();
    expect(idsHere(made)).toEqual([listed, lacking]);
    const given = made.asked.flatMap(([keeper, request]) => (request.type === "put" ? [[keeper, request.items.length] as const] : []));
    expect(new Map(given)).toEqual(
      new Map([
        [KEEPERS[1]?.key, 1],
        [KEEPERS[2]?.key, 2],
      ]),
    );
    await made.round();
    expect(idsHere(made)).toEqual([]);
  });

  it("stays while one of its keepers is away, whatever the others list", async () => {
    const made = await world();
    const ids = await put(made, mailOf(2));
    listAll(made, ids);
    made.away.add(KEEPERS[2]?.key ?? "");
    await made.round();
    expect(idsHere(made)).toEqual(ids);
    made.away.clear();
    await made.round();
    expect(idsHere(made)).toEqual([]);
  });

  it("stays while fewer than two keepers respond, and is given no keeper twice that does not take it", async () => {
    const made = await world();
    const ids = await put(made, mailOf(3));
    listAll(made, ids);
    made.away.add(KEEPERS[0]?.key ?? "").add(KEEPERS[1]?.key ?? "");
    await made.round();
    expect(idsHere(made)).toEqual(ids);
    made.away.delete(KEEPERS[1]?.key ?? "");
    made.onAsk = (): void => made.listed.get(KEEPERS[1]?.key ?? "")?.clear();
    for (const _ of [1, 2]) await made.round();
    expect(idsHere(made)).toEqual(ids);
    expect(made.asked.filter(([, { type }]) => type === "put").length).toBe(1);
  });

  it("stays where someone comes to read it meanwhile, and goes where its owner has deleted it", async () => {
    const made = await world();
    const [first = "", second = ""] = await put(made, mailOf(2));
    listAll(made, [second]);
    made.pageOf = (): Partial<BoxPage> => ({ deletions: [owner.deletion([first], MAIL_HEIGHT)] });
    made.onAsk = (): void => made.node.relay.serve(owner.pub);
    await made.round();
    expect(idsHere(made)).toEqual([second]);
  });

  it("stays where a keeper makes deletions up, or lists without an end", async () => {
    const made = await world();
    const ids = await put(made, mailOf(1));
    listAll(made, ids);
    made.pageOf = (): Partial<BoxPage> => ({ deletions: [{ ...owner.deletion(ids, MAIL_HEIGHT), height: 9 }] });
    await made.round();
    expect([made.lies.length, idsHere(made)]).toEqual([3, ids]);
    made.pageOf = (): Partial<BoxPage> => ({ hasMore: true });
    await made.round();
    expect([idsHere(made), made.asked.length]).toEqual([ids, 3 + 3 * 65]);
  });
});
