// Typing notices by a keeper: to those who watch the box, once a second and pair, within rates, and from keepers alone.
import { expect, it } from "vitest";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import { createLog } from "#node/observability/log.ts";
import type { BoxKeepers } from "#node/relay/keepers/placing/keeper-ranks.ts";
import { BoxWatchers } from "#node/relay/keepers/serving/box-watchers.ts";
import { KeeperTyping } from "#node/relay/keepers/serving/keeper-typing.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Keeper } from "#shared/protocol/keepers/directory.ts";
import type { MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { keeperOf } from "#test/support/nodes/mail-keepers.ts";
import { actor } from "#test/support/worlds/ledger-world.ts";

const [BOX, WRITER] = ["ab".repeat(32), "cd".repeat(32)];
const KEEPERS = [1, 2, 3].map((n) => keeperOf(n, `/ip4/8.8.${n}.1/tcp/1`));
const STRANGER = peerNameOf(actor(9).pub);

function world(): {
  readonly typing: KeeperTyping;
  readonly time: VirtualTime;
  readonly watchers: BoxWatchers;
  readonly told: string[];
  readonly heard: string[];
  readonly asked: (readonly [string, MailRequest])[];
  readonly away: Set<string>;
} {
  const time = new VirtualTime();
  const watchers = new BoxWatchers({ tell: (): Promise<void> => Promise.resolve() });
  const made = {
    time,
    watchers,
    told: [] as string[],
    heard: [] as string[],
    asked: [] as [string, MailRequest][],
    away: new Set<string>(),
  };
  const typing = new KeeperTyping({
    ranks: {
      keepersOf: (): BoxKeepers => ({ keeping: KEEPERS, standingIn: [], draining: [] }),
      find: (key): Keeper | undefined => KEEPERS.find((keeper) => keeper.key === key),
      epoch: 7,
    },
    watchers,
    kept: (box): Promise<readonly string[]> => Promise.resolve(box === BOX ? [box] : []),
    ask: (keeper, request): Promise<MailResponse> => {
      made.asked.push([keeper, request]);
      return made.away.has(keeper) ? Promise.reject(new CodedError("UPSTREAM_FAILED", "away")) : Promise.resolve({ type: "done" });
    },
    tell: (peer): Promise<void> => {
      made.told.push(peer);
      return Promise.resolve();
    },
    ownName: "own",
    onTyping: ({ from }): void => void made.heard.push(from),
    clock: time.clock(0),
    log: createLog("json", { write: () => undefined }),
  });
  return { ...made, typing };
}

it("go to one keeper of the box, or the next one", async () => {
  const { typing, time, asked, away } = world();
  const notice = { to: BOX, from: WRITER };
  typing.send(notice);
  typing.send(notice);
  await pollUntil(() => asked.length > 0);
  away.add(KEEPERS[0]?.key ?? "");
  time.advance(NETWORK_LIMITS.typingIntervalMs);
  typing.send(notice);
  await pollUntil(() => asked.length > 2);
  expect(asked).toEqual([0, 0, 1].map((at) => [KEEPERS[at]?.key, { type: "typing", ...notice, isNews: false }]));
  typing.close();
});

it("are passed on by a keeper to who watches, and not to who sent them, nor again within a second", async () => {
  const { typing, watchers, told, heard } = world();
  for (const peer of ["p", "q"]) watchers.watch(peer, [BOX], false);
  watchers.watch("r", [WRITER], false);
  const request = { type: "typing", to: BOX, from: WRITER, isNews: false } as const;
  expect(await typing.respond(request, "q")).toEqual({ type: "done" });
  await typing.respond(request, "q");
  expect([told, heard]).toEqual([["p"], [WRITER]]);
  // What this node's own client types, its client has heard of.
  await typing.respond({ ...request, from: "ef".repeat(32) }, "own");
  expect([told, heard.length]).toEqual([["p", "p", "q"], 1]);
  expect(await typing.respond({ ...request, to: WRITER }, "q")).toEqual({ type: "wrongKeeper", epoch: 7 });
});

it("are believed of keepers alone, and bounded", async () => {
  const { typing, heard, told, watchers } = world();
  watchers.watch("p", [BOX], false);
  const news = (n: number): MailRequest & { readonly type: "typing" } => ({
    ...{ type: "typing", to: BOX, isNews: true },
    from: n.toString(16).padStart(64, "0"),
  });
  await typing.respond(news(1), STRANGER);
  expect(heard).toEqual([]);
  const keeper = peerNameOf(KEEPERS[0]?.key ?? "");
  const { burst } = NETWORK_LIMITS.typingNews.party;
  for (let n = 0; n < burst + 10; n += 1) await typing.respond(news(n), keeper);
  expect(heard.length).toBe(burst);
  const responses: string[] = [];
  for (let n = 0; n < 200; n += 1)
    responses.push((await typing.respond({ ...news(n), isNews: false, from: `${n}`.padStart(64, "e") }, STRANGER)).type);
  expect([responses.filter((type) => type === "busy").length, told.length]).toEqual([72, 128]);
});
