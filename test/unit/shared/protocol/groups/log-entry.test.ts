// Entries of a group's log: fixed bytes of another implementation, and bytes of strangers.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BaseState, decodeBaseState, encodeBaseState } from "#shared/protocol/groups/base-state.ts";
import {
  MAX_ENTRY_BYTES,
  MAX_ENTRY_LINKS,
  MAX_ENTRY_PEOPLE,
  MAX_GROUP_ADMINS,
  MAX_GROUP_NAME_BYTES,
  MAX_LINK_USES,
} from "#shared/protocol/groups/group-bounds.ts";
import { formatGroupLink, isGenuineJoinRequest, linkKey, readGroupLink, signJoinRequest } from "#shared/protocol/groups/group-link.ts";
import { beginLog, type GroupLog, nextBaseState, type StoredEntry, withEntries, withTransfer } from "#shared/protocol/groups/group-log.ts";
import { partsAt, rebased, type SentBase } from "#shared/protocol/groups/join-base.ts";
import { decodeEntry, encodeEntry, hashOfEntry, type LogEntry, logIdOf, MAX_PREVIOUS_ENTRIES } from "#shared/protocol/groups/log-entry.ts";
import { entryOfMemo, ownerMemo } from "#shared/protocol/groups/owner-memo.ts";
import type { OwnerTransfer } from "#shared/protocol/groups/owner-terms.ts";
import { decodeSignedEntry, encodeSignedEntry, isGenuineEntry, type SignedEntry } from "#shared/protocol/groups/signed-entry.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import { readVectors } from "#test/support/codec/read-vectors.ts";
import { extent } from "#test/support/host/test-extent.ts";

const vectors = readVectors<{
  readonly chain: string;
  readonly id: string;
  /** The cases before this one make `result`. */
  readonly before: number;
  readonly cases: readonly {
    readonly name: string;
    readonly entry: LogEntry;
    readonly bytes: string;
    readonly hash: string;
    readonly signed: string;
  }[];
  readonly result: {
    readonly owner: string;
    readonly admins: readonly string[];
    readonly name: string;
    readonly picture: string;
    readonly heads: readonly string[];
    readonly people: Readonly<Record<string, string>>;
  };
  readonly passed: {
    readonly memo: string;
    readonly transfers: readonly OwnerTransfer[];
    readonly owner: string;
    readonly admins: readonly string[];
  };
  readonly bases: {
    readonly of: readonly string[];
    readonly root: string;
    readonly state: string;
    readonly kept: readonly string[];
    readonly entries: readonly string[];
    readonly confirming: string;
    readonly heads: readonly string[];
    readonly people: Readonly<Record<string, string>>;
  };
  readonly link: {
    readonly secret: string;
    readonly name: string;
    readonly admins: readonly string[];
    readonly text: string;
    readonly at: number;
    readonly person: string;
    readonly signature: string;
  };
  /** The cases from this one on: three by which someone came, then an addition beside a withdrawal. */
  readonly links: { readonly from: number; readonly key: string; readonly state: string; readonly came: string; readonly refused: string };
}>("group-log.json");

const key = (number: number): string => number.toString(16).padStart(64, "0");
const keys = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => key(index + 1));
const ENTRY: LogEntry = {
  group: "07".repeat(16),
  n: 2,
  prev: [key(9)],
  author: key(1),
  device: key(2),
  height: 5,
  change: { op: "add", at: 1, people: [key(3)] },
};

function signedOf(text: string): SignedEntry {
  const entry = decodeSignedEntry(text);
  if (entry === undefined) throw new Error("no entry");
  return entry;
}

describe("entries of another implementation", () => {
  it.each(vectors.cases)("$name", ({ entry, bytes, hash, signed }) => {
    expect(toHex(encodeEntry(entry))).toBe(bytes);
    expect(decodeEntry(fromHex(bytes))).toEqual(entry);
    expect(hashOfEntry(fromHex(bytes))).toBe(hash);
    const decoded = signedOf(signed);
    expect(decoded).toMatchObject({ hash, entry });
    expect(encodeSignedEntry(fromHex(bytes), decoded)).toBe(signed);
    expect(isGenuineEntry(decoded, ["other", vectors.chain])).toBe(true);
    expect(isGenuineEntry(decoded, ["other"])).toBe(false);
  });

  it("make the group that it says", () => {
    const [first, ...rest] = vectors.cases
      .slice(0, vectors.before)
      .map(({ signed }): StoredEntry => ({ ...signedOf(signed), isListed: true }));
    const begun = first && beginLog(first);
    const log = begun && withEntries(begun, rest).log;
    expect(logIdOf(first?.hash ?? "")).toBe(vectors.id);
    expect(log?.id).toBe(vectors.id);
    const { people = {}, ...group } = log?.fold.group ?? {};
    const { owner, admins, name, picture, heads } = vectors.result;
    expect(group).toMatchObject({ owner, admins, heads, picture, name: { text: name }, hasOwner: true });
    expect(Object.fromEntries(Object.entries(people).map(([person, { status }]) => [person, status]))).toEqual(vectors.result.people);
  });

  it("begin at the base that it says, with its state", () => {
    const { bases } = vectors;
    const all = vectors.cases.map(({ signed }): StoredEntry => ({ ...signedOf(signed), isListed: true }));
    const [first, ...rest] = all.filter(({ hash }) => bases.of.includes(hash));
    const log = withEntries(beginLog(first as StoredEntry) as GroupLog, rest).log;
    expect(log.entries.map(({ hash }) => hash)).toEqual(bases.entries);
    expect(log.root).toMatchObject({ hash: bases.root, state: { kept: bases.kept } });
    const state = fromHex(bases.state);
    expect(toHex(encodeBaseState(log.root?.state as BaseState))).toBe(bases.state);
    expect(decodeBaseState(state)).toEqual(log.root?.state);
    expect(decodeBaseState(fromHex(bases.confirming))?.people.map(({ status }) => status)).toEqual(["in", "in", "in"]);
    expect(Object.fromEntries(Object.entries(log.fold.group.people).map(([key, { status }]) => [key, status]))).toEqual(bases.people);
    expect(log.fold.group.heads).toEqual(bases.heads);
    // Who has nothing of what was before comes to the same by the state.
    const { base, entries } = partsAt(log);
    const away = beginLog(first as StoredEntry) as GroupLog;
    expect(rebased(away, base as SentBase, { entries, transfers: [] }).fold.group).toEqual(log.fold.group);
    for (const wrong of [state.slice(0, -1), Uint8Array.of(...state, 0), new Uint8Array(), Uint8Array.of(0x87, 0x02)])
      expect(decodeBaseState(wrong)).toBeUndefined();
  });

  it("let people in by the link that it says", () => {
    const { bases, links } = vectors;
    const all = vectors.cases.map(({ signed }): StoredEntry => ({ ...signedOf(signed), isListed: true }));
    const [first, ...rest] = all.filter(({ hash }) => bases.of.includes(hash));
    const before = withEntries(beginLog(first as StoredEntry) as GroupLog, rest).log;
    const came = withEntries(before, all.slice(links.from, links.from + 3)).log;
    expect(toHex(nextBaseState(came) ?? new Uint8Array())).toBe(links.state);
    expect(decodeBaseState(fromHex(links.state))?.links).toEqual(came.fold.group.links);
    const { group } = withEntries(came, all.slice(links.from)).log.fold;
    expect(group.links).toEqual([]);
    expect([group.people[links.came]?.status, group.people[links.refused]]).toEqual(["in", undefined]);
  });

  it("have the link that it says, with a request that it signs", () => {
    const { chain, id, link, links } = vectors;
    const { admins, name, person, at, signature } = link;
    const made = { group: id, secret: fromHex(link.secret), admins, name };
    expect(formatGroupLink(made, chain)).toBe(link.text);
    expect(readGroupLink(` ${link.text}\n`, chain)).toEqual({ kind: "link", link: made });
    expect(readGroupLink(link.text, "other")).toEqual({ kind: "otherNetwork" });
    for (const wrong of ["", link.text.slice(0, -4), `${link.text}AAAA`, link.text.replace("group", "pay"), `x${link.text}`])
      expect(readGroupLink(wrong, chain)).toEqual({ kind: "none" });
    expect(linkKey(made, chain)).toBe(links.key);
    const request = { group: id, key: links.key, person, at };
    expect(signJoinRequest(made, request, chain)).toBe(signature);
    expect(isGenuineJoinRequest(request, signature, chain)).toBe(true);
    for (const other of [
      { ...request, at: at + 1 },
      { ...request, person: admins[0] ?? "" },
      { ...request, group: "00".repeat(16) },
    ])
      expect(isGenuineJoinRequest(other, signature, chain)).toBe(false);
    expect(isGenuineJoinRequest(request, signature, "other")).toBe(false);
  });

  it("have the owner whom the chain names", () => {
    const [first, ...rest] = vectors.cases
      .slice(0, vectors.before)
      .map(({ signed }): StoredEntry => ({ ...signedOf(signed), isListed: true }));
    const { memo, transfers, owner, admins } = vectors.passed;
    const [transfer] = transfers as readonly [OwnerTransfer];
    const begun = beginLog(first as StoredEntry);
    const log = begun && withTransfer(withEntries(begun, rest).log, transfer);
    expect(log?.fold.group).toMatchObject({ owner, admins });
    const owned = { logId: vectors.id, owner: transfer.owner };
    expect(ownerMemo(owned, transfer.entry)).toBe(memo);
    expect(entryOfMemo(owned, memo)).toBe(transfer.entry);
    for (const other of ["", memo.slice(0, -1), `${memo}0`, memo.toUpperCase(), ` ${memo}`, memo.replace("parley-log:", "parley-log:0")])
      expect(entryOfMemo(owned, other)).toBeUndefined();
    expect(entryOfMemo({ ...owned, logId: "00".repeat(16) }, memo)).toBeUndefined();
    // Two owners of one log have nothing in common for those who do not know it.
    expect(ownerMemo({ ...owned, owner }, transfer.entry).slice(0, 28)).not.toBe(memo.slice(0, 28));
    expect(entryOfMemo({ ...owned, owner }, memo)).toBeUndefined();
  });
});

describe("a signed entry", () => {
  it.each(["signature", "certificate", "signingPub"] as const)("is not genuine with another %s", (field) => {
    const decoded = signedOf(vectors.cases[1]?.signed ?? "");
    const wrong = { ...decoded, [field]: decoded[field].replace(/^../, (byte) => (byte === "00" ? "01" : "00")) };
    expect(isGenuineEntry(wrong, [vectors.chain])).toBe(false);
  });

  it("is not genuine in the name of another, or with another content", () => {
    const [one, other] = vectors.cases.map(({ signed }) => signedOf(signed));
    if (one === undefined || other === undefined) throw new Error("no vectors");
    expect(isGenuineEntry({ ...one, entry: { ...one.entry, author: key(1) } }, [vectors.chain])).toBe(false);
    expect(isGenuineEntry({ ...one, entry: { ...one.entry, device: key(1) } }, [vectors.chain])).toBe(false);
    expect(isGenuineEntry({ ...one, bytes: other.bytes }, [vectors.chain])).toBe(false);
  });

  it("is checked with each certificate once, and with each that is not the same", () => {
    const all = vectors.cases.map(({ signed }) => signedOf(signed));
    const certified = new Set<string>();
    for (const one of all) expect(isGenuineEntry(one, [vectors.chain], certified)).toBe(true);
    expect(certified.size).toBe(new Set(all.map(({ entry }) => `${entry.author} ${entry.device}`)).size);
    const [one, other] = [all[0], all.find(({ signingPub }) => signingPub !== all[0]?.signingPub)];
    if (one === undefined || other === undefined) throw new Error("no vectors");
    expect(isGenuineEntry({ ...one, certificate: other.certificate }, [vectors.chain], certified)).toBe(false);
    expect(isGenuineEntry({ ...one, entry: { ...one.entry, device: other.entry.device } }, [vectors.chain], certified)).toBe(false);
  });

  it("is nothing else than what its bytes say, whatever comes", () => {
    const texts = vectors.cases.map(({ signed }) => signed);
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.nat(), fc.string({ minLength: 1, maxLength: 1 }), (text, position, letter) => {
        const at = position % text.length;
        const changed = `${text.slice(0, at)}${letter}${text.slice(at + 1)}`;
        const decoded = decodeSignedEntry(changed);
        expect(changed === text || decoded === undefined || !isGenuineEntry(decoded, [vectors.chain])).toBe(true);
      }),
      { seed: 20, numRuns: extent(20, 60) },
    );
    for (const text of ["", "AAAA", "a".repeat(1_000_000), "🙂"]) expect(decodeSignedEntry(text)).toBeUndefined();
  });
});

describe("the bounds of an entry", () => {
  const change = (value: LogEntry["change"]): LogEntry => ({ ...ENTRY, change: value });

  it.each([
    ["the most people", change({ op: "add", at: 1, people: keys(MAX_ENTRY_PEOPLE) })],
    ["the most admins", change({ op: "admins", at: 1, people: keys(MAX_GROUP_ADMINS) })],
    ["the longest name", change({ op: "name", at: Number.MAX_SAFE_INTEGER, name: "x".repeat(MAX_GROUP_NAME_BYTES) })],
    [
      "the most entries before",
      { ...ENTRY, prev: keys(MAX_PREVIOUS_ENTRIES), change: { op: "add" as const, at: 1, people: keys(MAX_ENTRY_PEOPLE) } },
    ],
    ["one who follows as the owner", change({ op: "owner", at: 1, people: [key(4)] })],
    ["a picture", change({ op: "picture", at: 1, picture: key(5) })],
    ["that there is no picture any more", change({ op: "picture", at: 1, picture: "" })],
    ["what older programs keep as a picture and is none", change({ op: "unknown", word: "picture", value: Uint8Array.of(0x81, 0x01) })],
    ["a base", change({ op: "base", at: 1, state: key(5) })],
    ["what older programs keep as a base and is none", change({ op: "unknown", word: "base", value: Uint8Array.of(0x81, 0x01) })],
    ["an invite link", change({ op: "invite", at: 1, key: key(5), until: 2, uses: MAX_LINK_USES })],
    ["the most links that are withdrawn", change({ op: "withdraw", at: 1, keys: keys(MAX_ENTRY_LINKS) })],
    ["the most who come by a link", change({ op: "admit", at: 1, key: key(5), guests: keys(MAX_ENTRY_PEOPLE) })],
    ["what older programs keep as a link and is none", change({ op: "unknown", word: "invite", value: Uint8Array.of(0x81, 0x01) })],
    ["an operation of a later version", change({ op: "unknown", word: "later", value: Uint8Array.of(0x81, 0x01) })],
  ])("hold %s", (_, entry) => {
    const bytes = encodeEntry(entry);
    expect(bytes.length).toBeLessThanOrEqual(MAX_ENTRY_BYTES);
    expect(decodeEntry(bytes)).toEqual(entry);
  });

  it.each([
    ["too many people", change({ op: "add", at: 1, people: keys(MAX_ENTRY_PEOPLE + 1) })],
    ["no people", change({ op: "remove", at: 1, people: [] })],
    ["a person twice", change({ op: "remove", at: 1, people: [key(1), key(1)] })],
    ["people out of order", change({ op: "remove", at: 1, people: [key(2), key(1)] })],
    ["two who follow as the owner", change({ op: "owner", at: 1, people: [key(1), key(2)] })],
    ["no one who follows as the owner", change({ op: "owner", at: 1, people: [] })],
    ["too many admins", change({ op: "admins", at: 1, people: keys(MAX_GROUP_ADMINS + 1) })],
    ["a long name", change({ op: "name", at: 1, name: "x".repeat(MAX_GROUP_NAME_BYTES + 1) })],
    ["no name", change({ op: "name", at: 1, name: "" })],
    ["too many entries before", { ...ENTRY, prev: keys(MAX_PREVIOUS_ENTRIES + 1) }],
    ["no entry before", { ...ENTRY, prev: [] }],
    ["a creation after others", change({ op: "create", at: 1, name: "x", people: [key(3)] })],
    ["a first entry that creates nothing", { ...ENTRY, n: 1, prev: [] }],
    ["a picture with half a hash", change({ op: "picture", at: 1, picture: key(5).slice(32) })],
    ["a giant number", { ...ENTRY, n: 2 ** 40 }],
    ["a link for too many people", change({ op: "invite", at: 1, key: key(5), until: 2, uses: MAX_LINK_USES + 1 })],
    ["a link for no one", change({ op: "invite", at: 1, key: key(5), until: 2, uses: 0 })],
    ["too many links", change({ op: "withdraw", at: 1, keys: keys(MAX_ENTRY_LINKS + 1) })],
    ["no one who comes by a link", change({ op: "admit", at: 1, key: key(5), guests: [] })],
    ["a negative time", change({ op: "leave", at: -1 })],
    ["a short group", { ...ENTRY, group: "07" }],
  ])("refuse %s", (_, entry) => {
    expect(() => encodeEntry(entry)).toThrow();
  });

  it("refuse bytes that are too many, cut off or followed by more", () => {
    const bytes = encodeEntry(ENTRY);
    for (let length = 0; length < bytes.length; length += 1) expect(() => decodeEntry(bytes.subarray(0, length))).toThrow();
    expect(() => decodeEntry(Uint8Array.of(...bytes, 0))).toThrow();
    expect(() => decodeEntry(new Uint8Array(MAX_ENTRY_BYTES + 1))).toThrow(RangeError);
  });

  it("hold for any bytes: what is read is what was written", () => {
    const bytes = encodeEntry(ENTRY);
    fc.assert(
      fc.property(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 255 }), (at, value) => {
        const changed = bytes.slice();
        changed[at] = value;
        try {
          expect(toHex(encodeEntry(decodeEntry(changed)))).toBe(toHex(changed));
        } catch (error) {
          expect(error).toSatisfy((thrown) => thrown instanceof TypeError || thrown instanceof RangeError);
        }
      }),
      { seed: 21, numRuns: extent(250, 1_000) },
    );
  });
});
