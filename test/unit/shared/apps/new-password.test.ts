// Connections of programs when the person changes the password: they go on, and what is stored of them lies under new keys alone.
import { beforeEach, describe, expect, it } from "vitest";
import { APPS_FORMAT, openApps } from "#shared/apps/storage/apps-file.ts";
import { parseJournal } from "#shared/apps/storage/journal-format.ts";
import { APP_PASSWORD, AppWorld, T, transactionOf } from "#test/support/worlds/app-world.ts";
import { createTestKeyring } from "#test/support/worlds/keyring-world.ts";

const PAY = "pay:each=1T,total=10T/day,to=any";
const NEXT = "another horse battery";

let world: AppWorld;
let token = "";

beforeEach(async () => {
  world = await AppWorld.create();
  token = await world.connect("Till", [PAY]);
  transactionOf(await world.pay(token, { amountUt: T / 10 }));
});

/** Whether a key opens the file of connections, and how many lines of the journal keys open. */
function openedBy({ file, journal }: { readonly file: Uint8Array; readonly journal: Uint8Array }): readonly [boolean, number] {
  const stored = APPS_FORMAT.parse(world.copies.copies.get("a") ?? new Uint8Array());
  const isOpen = stored !== undefined && openApps([file], stored) !== undefined;
  return [isOpen, parseJournal([journal], world.journal.bytes ?? new Uint8Array()).lines.length];
}

function keysOf(): { readonly file: Uint8Array; readonly journal: Uint8Array; readonly former: readonly unknown[] } {
  const { file, journal, former } = world.keyring.apps.keys();
  return { file: file.slice(), journal: journal.slice(), former };
}

describe("connections of programs, when the password is changed", () => {
  it("go on while they are open, and lie under the new keys alone", async () => {
    const before = keysOf();
    const [, lines] = openedBy(before);
    await world.keyring.changePassword({ current: APP_PASSWORD, next: NEXT });
    transactionOf(await world.pay(token, { amountUt: T / 10 }));
    const after = keysOf();
    expect(openedBy(before)).toEqual([false, 0]);
    expect(openedBy(after)[0]).toBe(true);
    expect(openedBy(after)[1]).toBeGreaterThan(lines);
    expect(after.former).toEqual([]);
  });

  it("are sealed again at the next start where the process ended right behind the change", async () => {
    const before = keysOf();
    const { keyring } = createTestKeyring(world.vault, world.time);
    await keyring.unlock({ password: APP_PASSWORD });
    await keyring.changePassword({ current: APP_PASSWORD, next: NEXT });
    expect(openedBy(before)[0]).toBe(true);
    await world.restartWithoutHistory(NEXT);
    await world.apps.history({ transactions: [], isComplete: true });
    transactionOf(await world.pay(token, { amountUt: T / 10 }));
    expect(openedBy(before)).toEqual([false, 0]);
    expect(keysOf().former).toEqual([]);
  });

  it("are not believed where someone with the keys of before puts files in their place", async () => {
    const files = world.save();
    await world.keyring.changePassword({ current: APP_PASSWORD, next: NEXT });
    transactionOf(await world.pay(token, { amountUt: T / 10 }));
    const { copies, journal } = files;
    await world.restartWithoutHistory(NEXT, { copies, journal });
    await world.apps.history({ transactions: [], isComplete: true });
    await expect(world.pay(token, { amountUt: T / 10 })).rejects.toThrow();
    expect(await world.approval.overview()).toMatchObject({ connections: [] });
  });
});
