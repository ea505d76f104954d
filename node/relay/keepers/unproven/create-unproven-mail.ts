// Reading without a proof, wired: lists, contents, and what those are told who listen.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { Relay } from "../../relay.ts";
import { KeeperLines, type KeeperLinesDependencies } from "./keeper-lines.ts";
import { UnprovenBoxes, type UnprovenBoxesDependencies } from "./unproven-boxes.ts";
import { UnprovenMail, type UnprovenMailDependencies } from "./unproven-mail.ts";

export interface CreateUnprovenMailDependencies
  extends KeeperLinesDependencies,
    Pick<UnprovenBoxesDependencies, "ownKey" | "ranks" | "onLie" | "timers"> {
  readonly relay: Pick<Relay, "boxes" | "readers" | "announce">;
  readonly store: UnprovenBoxesDependencies["store"] & UnprovenMailDependencies["store"];
}

/** Reading without a proof. */
export interface UnprovenReading {
  readonly mail: UnprovenMail;
  /** There may be something new in these boxes: those that someone listens to are read again. */
  renew(boxes: readonly X25519KeyHex[]): void;
  close(): void;
}

/** The parts together. */
export function createUnprovenMail(dependencies: CreateUnprovenMailDependencies): UnprovenReading {
  const { relay, store, limits } = dependencies;
  const lines = new KeeperLines(dependencies);
  const onFresh = (box: X25519KeyHex, ids: readonly string[]): void => {
    if (!isHeard(box) || boxes.openingOf(box)?.read === "owner") return;
    for (const id of ids.slice(-limits.unprovenPushes)) void announce(box, id);
  };
  const boxes = new UnprovenBoxes({ ...dependencies, boxes: relay.boxes, lines, onFresh });
  const mail = new UnprovenMail({ ...dependencies, boxes, lines });
  // Those who are served here are told of what comes into this node's mailbox.
  const isHeard = (box: X25519KeyHex): boolean => relay.readers.isWatched(box) && !relay.readers.has(box);
  const announce = async (box: X25519KeyHex, id: string): Promise<void> => {
    if (store.get(box, id) !== undefined) return;
    const envelope = await mail.find(box, id);
    if (envelope !== undefined) relay.announce(envelope);
  };
  return {
    mail,
    renew(some): void {
      for (const box of some) if (isHeard(box)) boxes.renew(box);
    },
    close: () => lines.close(),
  };
}
