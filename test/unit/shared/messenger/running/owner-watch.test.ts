// From which block on it is looked whether an owner has passed a group on.
import { expect, it } from "vitest";
import { recordOf } from "#shared/messenger/changes/group-log/log-record.ts";
import { groupConversation } from "#shared/messenger/model/conversation-id.ts";
import type { WantedTransfer } from "#shared/messenger/model/node-port.ts";
import { OwnerWatch } from "#shared/messenger/running/owner-watch.ts";
import { type GroupLog, logOfEntries, type StoredEntry, withEntries, withTransfer } from "#shared/protocol/groups/group-log.ts";
import { createItem, entryAfter, honest, PEOPLE } from "#test/support/groups/group-history.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";

const [ANN, BOB, CAROL] = PEOPLE as readonly [string, string, string];
const CHAIN = "parley-test";

const stored = (item: ReturnType<typeof createItem>): StoredEntry => ({ ...item, text: item.hash });

it("who owns a group again is looked up from the block on by which they do, also where a device learns of both at once", async () => {
  const create = createItem();
  const toBob = honest([create], ANN, { op: "owner", at: 2, people: [BOB] });
  const first = { owner: ANN, entry: toBob.hash, chainId: CHAIN, height: 40 };
  const before = logOfEntries([create, toBob].map(stored)) as GroupLog;
  const toAnn = honest([create, toBob], BOB, { op: "owner", at: 3, people: [ANN] });
  const toCarol = entryAfter([create, toBob, toAnn], [toAnn.hash], { author: ANN, change: { op: "owner", at: 4, people: [CAROL] } });
  const back = withEntries(withTransfer(before, first), [toAnn].map(stored)).log;
  const after = withEntries(withTransfer(back, { owner: BOB, entry: toAnn.hash, chainId: CHAIN, height: 60 }), [stored(toCarol)]).log;
  expect(after.fold.group).toMatchObject({ owner: ANN, pending: { person: CAROL } });

  const id = groupConversation(before.id);
  let group = recordOf(before, undefined, CAROL);
  const asked: WantedTransfer[] = [];
  const context = {
    node: {
      chainId: CHAIN,
      ownerTransfer: async (wanted: WantedTransfer) => {
        asked.push(wanted);
        return { found: undefined, seen: Math.max(wanted.after, 30), hasMore: false };
      },
    },
    registry: { passedGroups: [id], get: () => ({ group }) },
    clock: { monotonicMs: () => 1_000 },
    timers: { setTimer: () => () => undefined },
  } as unknown as ConstructorParameters<typeof OwnerWatch>[0];
  const watch = new OwnerWatch(context, () => undefined);
  const lookAgain = async (looks: number): Promise<void> => {
    await pollUntil(
      () => {
        watch.check();
        return asked.length === looks;
      },
      { what: "the look" },
    );
  };
  await lookAgain(1);
  group = recordOf(after, group, CAROL);
  await lookAgain(2);
  expect(asked.map(({ owner, after: height }) => [owner, height])).toEqual([
    [ANN, 0],
    [ANN, 60],
  ]);
  watch.stop();
});
