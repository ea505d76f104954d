// How the owner of a box opened it, asked of its keepers: a client is about to hand in mail for a box that this node does not know.
import type { Log } from "#node/observability/log.ts";
import type { MailSource } from "#node/storage/mailbox/mail-sources.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Timers } from "#shared/util/clock.ts";
import type { Relay } from "../../relay.ts";
import { KEEPER_LIMITS } from "../keeper-limits.ts";
import type { KeeperRanks } from "../placing/keeper-ranks.ts";

export interface LearnOpeningDependencies {
  /** Key of this node: what it keeps itself it knows. */
  readonly ownKey: PublicKeyHex;
  readonly ranks: Pick<KeeperRanks, "keepersOf">;
  readonly relay: Pick<Relay, "boxes">;
  /** @throws CodedError UPSTREAM_FAILED */
  readonly ask: (keeper: PublicKeyHex, request: MailRequest, signal: AbortSignal) => Promise<MailResponse>;
  readonly sourceOf: (keeper: PublicKeyHex) => MailSource;
  readonly timers: Timers;
  readonly log: Log;
}

/** Asks those that keep all at once, and all others after them, each for 2 s at most; resolves once one has said it. Never rejects. */
export async function learnOpening(box: X25519KeyHex, dependencies: LearnOpeningDependencies): Promise<void> {
  const { ranks, relay, ownKey, timers } = dependencies;
  const { keeping, standingIn, draining } = ranks.keepersOf(box) ?? { keeping: [], standingIn: [], draining: [] };
  for (const some of [keeping, [...standingIn, ...draining]]) {
    const keepers = some.map(({ key }) => key).filter((key) => key !== ownKey);
    if (keepers.length === 0 || relay.boxes.find(box) !== undefined) continue;
    const { promise, resolve } = Promise.withResolvers<void>();
    const ending = new AbortController();
    const cancel = timers.setTimer(KEEPER_LIMITS.answerMs, resolve);
    const asking = keepers.map(async (keeper) => {
      await askOne(box, keeper, ending.signal, dependencies);
      if (relay.boxes.find(box) !== undefined) resolve();
    });
    void Promise.all(asking).then(() => resolve());
    await promise;
    cancel();
    ending.abort();
  }
}

async function askOne(
  box: X25519KeyHex,
  keeper: PublicKeyHex,
  signal: AbortSignal,
  { ask, relay, sourceOf, log }: LearnOpeningDependencies,
): Promise<void> {
  try {
    const request: MailRequest = { type: "get", scope: null, boxes: [{ box, after: 0, afterDeletion: 0 }], hasContent: false };
    const page = await ask(keeper, request, signal);
    const openings = page.type === "page" ? page.boxes.flatMap(({ opening }) => opening ?? []) : [];
    await relay.boxes.learn(
      openings.filter(({ mailbox }) => mailbox === box),
      sourceOf(keeper),
    );
  } catch (error) {
    log.debug({ err: error, keeper }, "A keeper did not say how a box was opened");
  }
}
