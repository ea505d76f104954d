// What a person who is no longer in a group gets of it.
import { describe, expect, it } from "vitest";
import type { GroupStateBody } from "#shared/content/group-content.ts";
import type { Change } from "#shared/messenger/changes/change.ts";
import { recordOf } from "#shared/messenger/changes/group-log/log-record.ts";
import { sendLog } from "#shared/messenger/receiving/apply-log.ts";
import { type GroupLog, logOfEntries, type StoredEntry, withEntries, withTransfer } from "#shared/protocol/groups/group-log.ts";
import { createItem, honest, PEOPLE } from "#test/support/groups/group-history.ts";

const [ANN, BOB, CAROL] = PEOPLE as readonly [string, string, string];

const stored = (item: ReturnType<typeof createItem>): StoredEntry => ({ ...item, text: item.hash });

describe("who was removed by a later owner", () => {
  it("is told so, also where their program reads the state beside the entries", () => {
    const create = createItem();
    const toBob = honest([create], ANN, { op: "owner", at: 2, people: [BOB] });
    const passed = withTransfer(logOfEntries([create, toBob].map(stored)) as GroupLog, {
      owner: ANN,
      entry: toBob.hash,
      chainId: "parley-test",
      height: 40,
    });
    const removal = honest([create, toBob], BOB, { op: "remove", at: 3, people: [CAROL] });
    const { log } = withEntries(passed, [stored(removal)]);
    expect(log.fold.group.people[CAROL]?.status).toBe("removed");
    const known = recordOf(log, undefined, BOB) as Parameters<typeof sendLog>[3];
    const queued: { readonly body: GroupStateBody }[] = [];
    const change = {
      updateConversation: (): void => undefined,
      queue: (_: string, task: (typeof queued)[number]): void => void queued.push(task),
    } as unknown as Change;
    const context = {
      account: { masterPub: BOB },
      clock: { nowMs: (): number => 5_000 },
      random: (bytes: Uint8Array): Uint8Array => bytes,
    } as unknown as Parameters<typeof sendLog>[0];
    sendLog(context, change, { group: { id: log.id }, from: CAROL } as Parameters<typeof sendLog>[2], known);
    expect(queued).toHaveLength(1);
    const { body } = queued[0] as (typeof queued)[number];
    expect(body).toMatchObject({ keeper: BOB, log: [create.hash, toBob.hash, removal.hash] });
    expect(body.entries.find(({ key }) => key === CAROL)?.standing).toBe("removed");
  });
});
