// One attempt to send an outbox entry: which devices, which plaintexts, and what became of each envelope.
import type { KnownBody } from "#shared/content/content.ts";
import { encodeContent } from "#shared/content/encode-content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { SealRequest } from "#shared/keyring/keyring-api.ts";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import type { Envelope, X25519KeyHex } from "#shared/protocol/envelope.ts";
import { assertNever } from "#shared/util/assert.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { EngineContext } from "./engine-context.ts";
import { holdsKey, recipientKeys } from "./key-directory.ts";
import { isFinal } from "./problem.ts";
import type { OutboxRecord } from "./records.ts";

/** Envelopes that are broadcast at the same time. */
const PARALLEL = 4;
const ID_BYTES = 16;

type DeliveryContext = Pick<EngineContext, "account" | "node" | "keyring" | "directory" | "clock" | "random">;

/** What one attempt reached. */
export interface DeliveryResult {
  /** Devices that got their envelope, or whose mailbox refused it for good. */
  readonly settled: readonly X25519KeyHex[];
  /** Devices of the peer that got theirs. */
  readonly reached: readonly X25519KeyHex[];
  /** A refusal for good, if there was one. */
  readonly refusal: CodedError | undefined;
  /** Why devices are still waiting, if any are. */
  readonly waitingFor: unknown;
}

interface Part {
  readonly to: PublicKeyHex;
  readonly body: KnownBody;
  readonly devices: readonly X25519KeyHex[];
}

/**
 * Sends an entry to every device that has not got it. Device lists are read anew, so that a device linked a moment ago is served and
 * one that was revoked is not.
 * @throws CodedError NO_ENCRYPTION_KEY, DEVICE_NOT_PUBLISHED, or the failure of the look-up.
 */
export async function deliver(context: DeliveryContext, record: OutboxRecord): Promise<DeliveryResult> {
  const parts = await partsOf(context, record);
  const sentAt = Math.floor(context.clock.nowMs() / 1000);
  const requests = parts.map((part): SealRequest => ({ plaintext: plaintextOf(context, record, part), recipients: part.devices, sentAt }));
  const envelopes = await context.keyring.seal({ requests: requests.filter(({ recipients }) => recipients.length > 0) });
  const outcomes = await broadcastAll(context, envelopes);
  const peerDevices = new Set(parts.filter(({ to }) => to === record.peer).flatMap(({ devices }) => devices));
  const refused = outcomes.filter(({ error }) => isFinal(error));
  const settled = outcomes.filter(({ error }) => error === undefined || isFinal(error)).map(({ device }) => device);
  return {
    settled,
    reached: outcomes.filter(({ device, error }) => error === undefined && peerDevices.has(device)).map(({ device }) => device),
    refusal: refused.map(({ error }) => error).find(isFinal),
    waitingFor: outcomes.find(({ error }) => error !== undefined && !isFinal(error))?.error,
  };
}

async function partsOf({ account, directory }: DeliveryContext, record: OutboxRecord): Promise<readonly Part[]> {
  const { peer, task, done } = record;
  const me = account.masterPub;
  const own = await directory.fetch(me);
  if (!holdsKey(own, account.devicePub))
    throw new CodedError("DEVICE_NOT_PUBLISHED", "The chain does not list this device yet: sending waits until it does");
  const pending = (devices: readonly X25519KeyHex[]): readonly X25519KeyHex[] => devices.filter((device) => !done.includes(device));
  const others = pending(own.devices.filter((device) => device !== account.devicePub));
  if (task.kind === "readMark") return [{ to: me, body: { kind: "sync.read", peer, ids: task.ids }, devices: others }];
  const peerDevices = peer === me ? [] : pending(recipientKeys(await directory.fetch(peer)));
  if (task.kind === "receipt") return [{ to: peer, body: { kind: "receipt", status: task.status, ids: task.ids }, devices: peerDevices }];
  if (task.kind !== "message") return assertNever(task);
  const body = { kind: "text", text: task.text } as const;
  const toOthers: Part = { to: me, body: { kind: "sync.sent", peer, id: task.id, at: task.at, body }, devices: others };
  return peer === me ? [toOthers] : [{ to: peer, body, devices: peerDevices }, toOthers];
}

function plaintextOf({ account, node, clock, random }: DeliveryContext, { task }: OutboxRecord, part: Part): Uint8Array {
  const isMessage = task.kind === "message" && part.body.kind === "text";
  return encodeContent({
    id: isMessage ? task.id : toHex(random(ID_BYTES)),
    at: isMessage ? task.at : clock.nowMs(),
    from: account.masterPub,
    fromDevice: account.devicePub,
    to: part.to,
    chainId: node.chainId,
    body: part.body,
  });
}

interface Outcome {
  readonly device: X25519KeyHex;
  /** Undefined when the node took the envelope. */
  readonly error: unknown;
}

async function broadcastAll({ node }: DeliveryContext, envelopes: readonly Envelope[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let start = 0; start < envelopes.length; start += PARALLEL) {
    const some = envelopes.slice(start, start + PARALLEL).map(async (envelope): Promise<Outcome> => {
      const error: unknown = await node.broadcast(envelope).then(
        () => undefined,
        (cause: unknown) => cause ?? new Error("The node refused the envelope"),
      );
      return { device: envelope.recipient_pub, error };
    });
    outcomes.push(...(await Promise.all(some)));
  }
  return outcomes;
}
