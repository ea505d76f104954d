// Changes of a stored value that follow each other at any moment: none is lost, also where nothing was drawn between them.
import { beforeEach, expect, it } from "vitest";
import { type PendingPorts, PendingValue } from "#renderer/features/inbox/chat/folders/pending-value.ts";

type Names = readonly string[];

let stored: Names;
let shown: (Names | undefined)[];
let saves: { readonly value: Names; readonly end: PromiseWithResolvers<void> }[];
let pending: PendingValue<Names>;

beforeEach(() => {
  [stored, shown, saves, pending] = [["Work", "Friends", "Choir"], [], [], new PendingValue()];
});

const ports: PendingPorts<Names> = {
  read: () => stored,
  save: (value) => {
    const end = Promise.withResolvers<void>();
    saves.push({ value, end });
    return end.promise;
  },
  show: (chosen) => void shown.push(chosen?.value),
};

const remove = (name: string): Promise<void> => pending.change((names) => names.filter((other) => other !== name), ports);

/** The oldest save that has not ended is stored. */
function store(): void {
  const save = saves.shift();
  stored = save?.value ?? stored;
  save?.end.resolve();
}

it("counts from what was chosen while that is being saved", async () => {
  const removals = [remove("Work"), remove("Friends")];
  store();
  await removals[0];
  removals.push(remove("Choir"));
  store();
  store();
  await Promise.all(removals);
  expect(stored).toEqual([]);
  // In between nothing that was stored on the way.
  expect(shown).toEqual([["Friends", "Choir"], ["Choir"], [], undefined]);
});

it("counts from what is stored in the moment in which a save ends, before anything is drawn", async () => {
  const first = remove("Work");
  store();
  await first;
  const second = remove("Friends");
  store();
  await second;
  expect(stored).toEqual(["Choir"]);
});

it("shows and changes what is stored after a save that failed, and says why", async () => {
  const first = remove("Work");
  saves.shift()?.end.reject(new Error("the disk is full"));
  await expect(first).rejects.toThrow("the disk is full");
  const second = remove("Friends");
  store();
  await second;
  expect(stored).toEqual(["Work", "Choir"]);
  expect(shown).toEqual([["Friends", "Choir"], undefined, ["Work", "Choir"], undefined]);
});
