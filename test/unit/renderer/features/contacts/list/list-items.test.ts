import { describe, expect, it } from "vitest";
import { type ContactListItem, keyOfItem, listItems, matchingItems } from "#renderer/features/contacts/list/list-items.ts";
import { createContactDirectory } from "#renderer/lib/people/contacts/contact-directory.ts";
import type { ContactProgress } from "#renderer/lib/people/contacts/use-contact-progress.ts";
import { asksIn, invitesOf, unknownOf, writersOf } from "#renderer/lib/people/contacts/waiting-requests.ts";
import type { PendingState } from "#renderer/lib/transactions/pending-store.ts";
import type { ContactInfo, SentContactInfo } from "#shared/api/schemas/relay.ts";
import type { AskingMessage } from "#shared/messenger/model/conversation.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";

const ME = "01".repeat(32);
const ANNA = "0a".repeat(32);
const BORIS = "0b".repeat(32);
const CARLA = "0c".repeat(32);

describe("lists of contacts", () => {
  it("sort people by name and put the nameless last", () => {
    const directory = createContactDirectory(
      [received(ANNA, "accepted"), received(BORIS, "accepted"), received(CARLA, "accepted")],
      [],
      () => false,
    );
    const names = new Map([
      [CARLA, "Ärzte"],
      [ANNA, "zoe"],
    ]);
    expect(listItems("people", { directory, names, locale: "en", steps: [], writers: [], named: [] }).map(keyOfItem)).toEqual([
      CARLA,
      ANNA,
      BORIS,
    ]);
  });

  it("put declined requests below the open ones, under a heading", () => {
    const directory = createContactDirectory([received(ANNA), received(BORIS)], [], (key) => key === ANNA);
    expect(listItems("requests", sources(directory)).map(keyOfItem)).toEqual([BORIS, "group", ANNA]);
  });

  it("put requests for money first, in their order, and count them where one knows and has not blocked the person", () => {
    const directory = createContactDirectory([received(BORIS)], [], () => false, new Set([CARLA]));
    const ask = (conversation: string, key: string): AskingMessage => ({
      conversation,
      message: { key } as AskingMessage["message"],
      body: { kind: "pay.request", amountUt: 5, note: "" },
    });
    const asks = [ask(CARLA, "m1"), ask(ANNA, "m2"), ask(CARLA, "m3")];
    const items = listItems("requests", { ...sources(directory), asks });
    expect(items.map(keyOfItem)).toEqual(["m1", "m2", "m3", BORIS]);
    expect(matchingItems(items, new Map([[CARLA, "Carla"]]), "carl").map(keyOfItem)).toEqual(["m1", "m3"]);
    expect(
      asksIn([
        { asks: 2, isBlocked: false },
        { asks: 1, isBlocked: false },
        { asks: 7, isBlocked: true },
      ]),
    ).toBe(3);
  });

  it("show what else waits where requests for money cannot be read, also while one searches", () => {
    const directory = createContactDirectory([received(BORIS)], [], () => false);
    const items = listItems("requests", { ...sources(directory), hasNoAsks: true });
    expect(items.map(keyOfItem)).toEqual(["failure", BORIS]);
    expect(matchingItems(items, new Map([[BORIS, "Boris"]]), "carl").map(keyOfItem)).toEqual(["failure"]);
    expect(listItems("people", { ...sources(directory), hasNoAsks: true })).toEqual([]);
  });

  it("put those who only wrote after those who paid, not twice, and lead to the chat", () => {
    const directory = createContactDirectory([received(BORIS)], [], () => false, new Set([CARLA]));
    const chat = (peer: string, fields = {}): Parameters<typeof writersOf>[0][number] => ({
      kind: "person",
      peer,
      isRequest: true,
      isBlocked: false,
      isArchived: false,
      ...fields,
    });
    const chats = [chat(ANNA), chat(BORIS), chat(CARLA), chat(ME, { isBlocked: true }), chat("0d".repeat(32), { isRequest: false })];
    const writers = writersOf(chats, directory);
    expect(writers).toEqual([ANNA]);
    expect(listItems("requests", { ...sources(directory), writers }).map(keyOfItem)).toEqual([BORIS, ANNA]);
    expect(listItems("people", sources(directory)).map(keyOfItem)).toEqual([CARLA]);
  });

  it("have groups of strangers in the same queue, while one is in them and has not put them away", () => {
    const chat = (id: string, fields = {}, group = {}): Parameters<typeof invitesOf>[0][number] => ({
      id,
      kind: "group",
      peer: null,
      group: { name: `Group ${id}`, admin: ANNA, isMember: true, ...group },
      isRequest: true,
      isBlocked: false,
      isArchived: false,
      ...fields,
    });
    const gone = [
      chat("b", { isArchived: true }),
      chat("c", { isBlocked: true }),
      chat("d", { isRequest: false }),
      chat("e", {}, { isMember: false }),
    ];
    const directory = createContactDirectory([received(BORIS), received(CARLA, "blocked")], [], () => false);
    const invites = invitesOf([chat("a"), ...gone, chat("f", {}, { admin: CARLA })], directory);
    expect(invites).toEqual([{ id: "a", title: "Group a", admin: ANNA }]);
    const items = listItems("requests", { ...sources(directory), writers: [CARLA], invites });
    expect(items.map(keyOfItem)).toEqual([BORIS, CARLA, "a"]);
    expect(matchingItems(items, new Map(), "group A").map(keyOfItem)).toEqual(["a"]);
  });

  it("have devices of which no one knows whose they are, last, and people who write although they refused", () => {
    const directory = createContactDirectory([], [{ ...sent(ANNA), status: "blocked" }], () => false);
    const chat = { kind: "unknown" as const, peer: null, isRequest: true, isBlocked: false, isArchived: false };
    const unknown = unknownOf([
      { ...chat, id: "device:1" },
      { ...chat, id: "device:2", isArchived: true },
    ]);
    expect(unknown).toEqual(["device:1"]);
    const writers = writersOf([{ ...chat, kind: "person", peer: ANNA }], directory);
    const items = listItems("requests", { ...sources(directory), writers, unknown });
    expect(items.map(keyOfItem)).toEqual([ANNA, "device:1"]);
    expect(matchingItems(items, new Map([[ANNA, "Anna"]]), "anna").map(keyOfItem)).toEqual([ANNA]);
  });

  it("put named addresses below the people, by name, without those of other lists", () => {
    const directory = createContactDirectory([received(BORIS, "blocked")], [], () => false, new Set([CARLA]));
    const exchange = "0d".repeat(32);
    const names = new Map([
      [exchange, "Exchange deposit"],
      [ANNA, "Shop"],
      [CARLA, "Carla"],
      [BORIS, "Boris"],
    ]);
    const items = listItems("people", { ...sources(directory), names, named: [ANNA, BORIS, CARLA, exchange] });
    expect(items.map(keyOfItem)).toEqual([CARLA, "group", exchange, ANNA]);
    expect(matchingItems(items, names, "shop").map(keyOfItem)).toEqual(["group", ANNA]);
    expect(matchingItems(items, names, "carla").map(keyOfItem)).toEqual([CARLA]);
  });

  it("have no heading where nothing was declined", () => {
    const directory = createContactDirectory([received(BORIS)], [], () => false);
    expect(listItems("requests", sources(directory)).map(keyOfItem)).toEqual([BORIS]);
  });

  it.each<[PendingState, boolean]>([
    [{ kind: "submitted" }, true],
    [{ kind: "failed", blockIndex: 7, reason: "CONTACT_BLOCKED" }, true],
    [{ kind: "expired" }, true],
    [{ kind: "inBlock", blockIndex: 7 }, false],
  ])("show a submitted request that is %o until the chain lists it", (state, isShown) => {
    const empty = createContactDirectory([], [], () => false);
    const steps = [step("tx-1", ANNA, state)];
    expect(listItems("sent", { ...sources(empty), steps }).map(keyOfItem)).toEqual(isShown ? ["tx-1"] : []);
    const listed = createContactDirectory([], [sent(ANNA)], () => false);
    expect(listItems("sent", { ...sources(listed), steps }).map(keyOfItem)).toEqual([ANNA]);
  });

  it("show only the latest attempt to ask a person", () => {
    const steps = [step("tx-2", ANNA, { kind: "submitted" }), step("tx-1", ANNA, { kind: "expired" })];
    const directory = createContactDirectory([], [], () => false);
    expect(listItems("sent", { ...sources(directory), steps }).map(keyOfItem)).toEqual(["tx-2"]);
  });

  it("do not take an acceptance for a request", () => {
    const steps = [{ ...step("tx-1", ANNA, { kind: "submitted" }), step: "acceptContact" as const }];
    expect(listItems("sent", { ...sources(createContactDirectory([], [], () => false)), steps })).toEqual([]);
  });
});

function sources(directory: ReturnType<typeof createContactDirectory>): Parameters<typeof listItems>[1] {
  return { directory, names: new Map(), locale: "en", steps: [], writers: [], named: [] };
}

function step(id: string, to: string, state: PendingState): ContactProgress {
  const summary = {
    kind: "requestContact",
    from: ME,
    to,
    toAddress: null,
    amountUt: 5_000,
    feeUt: 1_000,
    maxGasUt: 0,
    totalUt: 6_000,
    publicText: null,
    sentence: "",
  } as const;
  return { step: "requestContact", transaction: { id, summary, submittedAtMs: 1, state } };
}

function received(requester: string, status = "pending"): ContactInfo {
  return { requester_pub: requester, requester_addr: "", status, fee_ut: 5_000, tx_id: `r-${requester}`, created_at: 1 };
}

function sent(recipient: string): SentContactInfo {
  return { recipient_pub: recipient, recipient_addr: "", status: "pending", fee_ut: 5_000, tx_id: `s-${recipient}`, created_at: 1 };
}

describe("searching a list of contacts", () => {
  const key = (byte: string): string => byte.repeat(32);
  const [anna, boris] = ["8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c", key("81")] as const;
  const entry = (publicKey: string): ContactListItem => ({
    kind: "entry",
    entry: { publicKey, relation: "contact", received: undefined, sent: undefined, isAdded: false },
  });
  const names = new Map([
    [anna, "Anna Lind"],
    [boris, "Boris"],
  ]);

  it("finds by name and by address, whatever the case", () => {
    const items = [entry(anna), entry(boris)];
    expect(matchingItems(items, names, " LIND ")).toEqual([entry(anna)]);
    expect(matchingItems(items, names, formatAddress(boris).slice(-8))).toEqual([entry(boris)]);
    expect(matchingItems(items, names, "")).toEqual(items);
    expect(matchingItems(items, names, "another name")).toEqual([]);
  });

  it("leaves out a heading that nothing follows", () => {
    const items: readonly ContactListItem[] = [entry(anna), { kind: "group", title: "declined" }, entry(boris)];
    expect(matchingItems(items, names, "anna")).toEqual([entry(anna)]);
    expect(matchingItems(items, names, "boris")).toEqual([{ kind: "group", title: "declined" }, entry(boris)]);
  });
});
