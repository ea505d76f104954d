import { describe, expect, it } from "vitest";
import { newPairRecord, type PairRecord } from "#shared/messenger/pairs/pair-record.ts";
import type { AsideItem } from "#shared/messenger/receiving/boxes/aside-record.ts";
import { RunningDisk } from "../device/simulated-disk.ts";
import { CrowdOracle } from "./crowd-oracle.ts";

function pairs(count: number, person?: string): readonly PairRecord[] {
  return Array.from({ length: count }, (_, at) => newPairRecord(person ?? `x${at}`, `${person ?? `x${at}`}-${at}`, "0011223344556677", 0));
}

function diskWith(records: readonly PairRecord[], items: readonly AsideItem[] = []): RunningDisk {
  const disk = new RunningDisk();
  for (const record of records) disk.crowd.set(record.device, record);
  disk.aside = { items, mail: new Map() };
  return disk;
}

function claims(count: number, { from = "", device = "" }: { readonly from?: string; readonly device?: string }): readonly AsideItem[] {
  return Array.from({ length: count }, (_, at) => ({
    ...{ envelope: `${from}${device}${at}`, id: `${at}`, from: from || `${at}`, device: device || `${from}-x${at}` },
    ...{ isVouched: false, at: 0, bytes: 1 },
  }));
}

describe("what strangers have a device store", () => {
  it.each<readonly [string, readonly PairRecord[], readonly AsideItem[]]>([
    ["2049 pairs", pairs(2_049), []],
    ["65 pairs of one person", pairs(65, "x"), []],
    ["65 contents that only claim to be of all", [], claims(65, {})],
    ["17 contents that only claim to be of one person", [], claims(17, { from: "ann" })],
    ["9 contents that only claim to be of one device", [], claims(9, { device: "ann-x1" })],
  ])("is too much with %s", (words, records, items) => {
    const allowed = new CrowdOracle();
    expect(allowed.wrong(diskWith(records.slice(1), items.slice(1)))).toBeUndefined();
    expect(new CrowdOracle().wrong(diskWith(records, items))).toContain(words);
  });

  it("is looked at again once it has changed, also on a disk that was put back", () => {
    const oracle = new CrowdOracle();
    expect(oracle.wrong(diskWith([]))).toBeUndefined();
    const image = oracle.copy();
    oracle.noteChange();
    expect(oracle.wrong(diskWith(pairs(2_049)))).toContain("2049 pairs");
    expect(image.wrong(diskWith(pairs(2_049)))).toContain("2049 pairs");
  });

  it("is no reason to answer", () => {
    const [record] = pairs(1) as readonly [PairRecord];
    const marked = { ...record, state: { ...record.state, markAtMs: 5 } };
    expect(new CrowdOracle().wrong(diskWith([marked]))).toContain("is to answer x0-0");
    expect(new CrowdOracle().wrong(diskWith([{ ...record, state: { ...record.state, asksFormer: true } }]))).toContain("is to answer");
  });
});

describe("the room of people who are known", () => {
  it("is not that of strangers: their pairs stay, but for devices that are gone for good", () => {
    const oracle = new CrowdOracle();
    const disk = diskWith([]);
    const [{ state }] = pairs(1) as readonly [PairRecord];
    disk.pairs.set("bob-1", { state, sent: [] });
    expect(oracle.wrong(disk)).toBeUndefined();
    disk.pairs.delete("bob-1");
    expect(oracle.wrong(disk)).toContain("lost its pair with bob-1");
    oracle.noteGone("bob-1");
    expect(oracle.wrong(disk)).toBeUndefined();
  });

  it("is not taken either where a new pair is there before anyone looks", () => {
    const [{ state }] = pairs(1) as readonly [PairRecord];
    const disk = diskWith([]);
    disk.pairs.set("bob-1", { state, sent: [] });
    const oracle = new CrowdOracle();
    oracle.noteCrowdedOut(["x1-1", "x2-1"]);
    expect(oracle.wrong(disk)).toBeUndefined();
    oracle.noteCrowdedOut(["x3-1", "bob-1"]);
    expect(oracle.wrong(disk)).toContain("lost its pair with bob-1");
  });

  it("is there for what their key vouches for, until that is too much itself", () => {
    const oracle = new CrowdOracle();
    const vouched = claims(64, { from: "ann" }).map((item) => ({ ...item, isVouched: true }));
    oracle.noteRefused(vouched, "ann");
    expect(oracle.wrong(diskWith([]))).toBeUndefined();
    oracle.noteRefused([...vouched.slice(1), ...claims(16, { from: "ann" })], "ann");
    expect(oracle.wrong(diskWith([]))).toContain("has no room for what the key of ann vouches for, beside 63 of theirs");
  });
});
