import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Journal } from "#node/ledger/journal.ts";
import {
  type Namespace,
  type RecordForm,
  readNamed,
  readRecord,
  recordNameOf,
  type StateView,
  writeNamed,
  writeRecord,
} from "#node/ledger/state-view.ts";
import { MemoryStateStore } from "#node/state/memory-state-store.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { utf8, fromUtf8 as utf8Text } from "#shared/util/bytes.ts";

const NAMESPACES: readonly Namespace[] = ["account", "contact", "supply"];

function storeOf(entries: readonly (readonly [Namespace, string, string])[]): MemoryStateStore {
  const store = new MemoryStateStore();
  store.apply(
    entries.map(([namespace, key, value]) => ({ namespace, key: utf8(key), value: utf8(value) })),
    [],
  );
  return store;
}

/** The view, as one that takes no names. */
function withoutNames(view: StateView): StateView {
  return {
    get: (namespace, key) => view.get(namespace, key),
    next: (namespace, prefix, after) => view.next(namespace, prefix, after),
    set: (namespace, key, value) => view.set(namespace, key, value),
    delete: (namespace, key) => view.delete(namespace, key),
  };
}

interface Step {
  readonly namespace: Namespace;
  readonly key: string;
  readonly value: string | undefined;
  readonly isRead: boolean;
  readonly isNamed: boolean;
}

/** Reads or writes, by the name where the step does and names are in use. */
function act(view: StateView, { namespace, key: text, value, isRead, isNamed }: Step, isNaming: boolean): Uint8Array | undefined {
  const key = utf8(text);
  const place = { namespace, name: recordNameOf(namespace, key), key };
  const written = value === undefined ? undefined : utf8(value);
  if (isNaming && isNamed) return isRead ? readNamed(view, place) : void writeNamed(view, place, written);
  if (isRead) return view.get(namespace, key);
  if (written === undefined) view.delete(namespace, key);
  else view.set(namespace, key, written);
  return undefined;
}

const RECORD_ACTS = ["read", "read bytes", "search", "write", "write bytes", "delete"] as const;

/** A record whose key several names stand for. */
const TEXT_FORM: RecordForm<{ readonly text: string }> = {
  namespace: "account",
  keyOf: (name) => utf8(name.toLowerCase()),
  decode: (value) => ({ text: utf8Text(value) }),
  encode: ({ text }) => utf8(text),
};

interface RecordStep {
  readonly name: string;
  readonly act: (typeof RECORD_ACTS)[number];
  readonly value: string;
}

function actOnRecord(view: StateView, { name, act: what, value }: RecordStep): unknown {
  const key = TEXT_FORM.keyOf(name);
  const acts: Readonly<Record<RecordStep["act"], () => unknown>> = {
    read: () => readRecord(view, TEXT_FORM, name)?.text,
    "read bytes": () => view.get("account", key),
    search: () => view.next("account", utf8(""), key),
    write: () => writeRecord(view, TEXT_FORM, name, { text: value }),
    "write bytes": () => view.set("account", key, utf8(value)),
    delete: () => view.delete("account", key),
  };
  return acts[what]();
}

describe("overlay state view", () => {
  it("shows its own writes and leaves the reader alone", () => {
    const store = storeOf([["account", "a", "1"]]);
    const view = new OverlayStateView(store);
    view.set("account", utf8("a"), utf8("2"));
    view.delete("account", utf8("b"));
    expect(view.get("account", utf8("a"))).toEqual(utf8("2"));
    expect(store.get("account", utf8("a"))).toEqual(utf8("1"));
    view.delete("account", utf8("a"));
    expect(view.get("account", utf8("a"))).toBeUndefined();
  });

  it("lists changes with what was before, by namespace and key", () => {
    const view = new OverlayStateView(storeOf([["account", "b", "1"]]));
    view.set("supply", utf8(""), utf8("9"));
    view.set("account", utf8("c"), utf8("3"));
    view.delete("account", utf8("b"));
    expect(view.changes()).toEqual([
      { namespace: "account", key: utf8("b"), before: utf8("1"), value: undefined },
      { namespace: "account", key: utf8("c"), before: undefined, value: utf8("3") },
      { namespace: "supply", key: utf8(""), before: undefined, value: utf8("9") },
    ]);
  });

  it("is the same by names and without, also below journals over journals", () => {
    const operation = fc.record({
      namespace: fc.constantFrom(...NAMESPACES),
      key: fc.constantFrom("a", "b", "ab", ""),
      value: fc.option(fc.constantFrom("1", "2"), { nil: undefined }),
      isRead: fc.boolean(),
      isNamed: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
        const [named, plain] = [true, false].map((isNaming) => {
          const below = (view: StateView): StateView => (isNaming ? view : withoutNames(view));
          const overlay = new OverlayStateView(storeOf([["account", "a", "0"]]));
          const outer = new Journal(below(overlay));
          const inner = new Journal(below(outer));
          const seen = operations.map((step, index) => act(index % 3 === 0 ? outer : inner, step, isNaming));
          const changes = [inner.changes(), outer.changes()];
          inner.commitTo(below(outer));
          outer.commitTo(below(overlay));
          return { seen, changes, all: overlay.changes() };
        });
        expect(named).toEqual(plain);
      }),
    );
  });

  it("is the same by decoded records and by their bytes, also under several names of a key", () => {
    const operation = fc.record({
      name: fc.constantFrom("a", "A", "b", "B", "c"),
      act: fc.constantFrom(...RECORD_ACTS),
      value: fc.constantFrom("0", "1", "2"),
    });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
        const [decoded, plain] = [true, false].map((isDecoded) => {
          const overlay = new OverlayStateView(storeOf([["account", "a", "0"]]));
          const view = isDecoded ? overlay : withoutNames(overlay);
          const seen = operations.map((step) => actOnRecord(view, step));
          const below = new OverlayStateView(new MemoryStateStore());
          overlay.commitTo(below);
          return { seen, changes: overlay.changes(), committed: below.changes() };
        });
        expect(decoded).toEqual(plain);
      }),
    );
  });

  it("encodes a record once, when its bytes are asked for", () => {
    const encoded: string[] = [];
    const form: RecordForm<string> = {
      namespace: "account",
      keyOf: utf8,
      decode: utf8Text,
      encode: (text) => {
        encoded.push(text);
        return utf8(text);
      },
    };
    const view = new OverlayStateView(new MemoryStateStore());
    for (const text of ["1", "2", "3"]) view.setRecord(form, "a", text);
    expect([view.getRecord(form, "a"), encoded]).toEqual(["3", []]);
    expect(view.changes().map(({ value }) => value)).toEqual([utf8("3")]);
    view.changes();
    expect(encoded).toEqual(["3"]);
  });

  it("lists nothing that came back to its old value", () => {
    const view = new OverlayStateView(storeOf([["account", "a", "1"]]));
    view.set("account", utf8("a"), utf8("2"));
    view.set("account", utf8("a"), utf8("1"));
    view.set("account", utf8("new"), utf8("1"));
    view.delete("account", utf8("new"));
    expect(view.changes()).toEqual([]);
  });

  it("keeps equal keys of different namespaces apart, and a key from one that contains a zero byte", () => {
    const view = new OverlayStateView(new MemoryStateStore());
    view.set("device", Uint8Array.of(0, 1), utf8("x"));
    view.set("devices", Uint8Array.of(1), utf8("y"));
    expect(view.get("device", Uint8Array.of(1))).toBeUndefined();
    expect(view.get("devices", Uint8Array.of(0, 1))).toBeUndefined();
    expect(view.changes()).toHaveLength(2);
  });

  it("writes into another view what it changed, and nothing else", () => {
    const store = storeOf([
      ["account", "a", "1"],
      ["account", "b", "1"],
      ["account", "read", "1"],
    ]);
    const below = new OverlayStateView(store);
    const view = new OverlayStateView(below);
    view.get("account", utf8("read"));
    view.set("account", utf8("a"), utf8("2"));
    view.delete("account", utf8("b"));
    view.set("supply", utf8("x"), utf8("3"));
    below.set("account", utf8("read"), utf8("later"));
    view.commitTo(below);
    expect(below.changes().map(({ key, value }) => [utf8Text(key), value === undefined ? undefined : utf8Text(value)])).toEqual([
      ["a", "2"],
      ["b", undefined],
      ["read", "later"],
      ["x", "3"],
    ]);
  });

  it("applied to the reader gives what the view showed", () => {
    const operation = fc.tuple(fc.constantFrom(...NAMESPACES), fc.constantFrom("a", "b", "c"), fc.option(fc.string(), { nil: undefined }));
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        const store = storeOf([
          ["account", "a", "1"],
          ["contact", "b", "2"],
        ]);
        const view = new OverlayStateView(store);
        for (const [namespace, key, value] of operations) {
          if (value === undefined) view.delete(namespace, utf8(key));
          else view.set(namespace, utf8(key), utf8(value));
        }
        const shown = NAMESPACES.flatMap((namespace) => ["a", "b", "c"].map((key) => view.get(namespace, utf8(key))));
        store.apply(view.changes(), []);
        expect(NAMESPACES.flatMap((namespace) => ["a", "b", "c"].map((key) => store.get(namespace, utf8(key))))).toEqual(shown);
      }),
      { seed: 7 },
    );
  });
});
