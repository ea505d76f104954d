// The open device as one side of pairs. What opens a card lies under a key in the vault, which several windows may renew: whatever does not
// open is tried again with what another window has stored.
import { CodedError } from "#shared/errors/coded-error.ts";
import { KemAhead, type KemWork, type LateKem } from "#shared/protocol/pairs/kem-ahead.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import {
  drawCards,
  drawEnvelope,
  newCardKey,
  openWithCards,
  openWithCardsWork,
  type PairContext,
  resealSecrets,
  sealToCard,
  sealToCardWork,
} from "../devices/pair-cards.ts";
import { drawPublicCard, openToPublic } from "../devices/public-cards.ts";
import type {
  DrawCardsRequest,
  DrawnCard,
  DrawnPublicCard,
  DrawPublicRequest,
  OpenedPublic,
  OpenPairsRequest,
  OpenPublicRequest,
  SealedEnvelope,
  SealRequest,
} from "../keyring-api.ts";
import { wipe } from "../vault/vault-secrets.ts";
import type { HostKem } from "./host-kem.ts";
import type { OpenDevice } from "./open-keys.ts";
import type { SharedDevice } from "./shared-device.ts";

/** What a device computes with: at once, and, where the host has it, elsewhere. */
export interface PairPrimitives extends Pick<PairContext, "kem" | "random"> {
  readonly late?: LateKem | undefined;
}

/** Pairs of one device, while it is open. */
export class PairDevice {
  readonly #shared: SharedDevice;
  readonly #openDevice: () => OpenDevice;
  readonly #primitives: PairPrimitives;

  /** `openDevice` throws KEYRING_LOCKED while the keyring is locked. */
  constructor(shared: SharedDevice, openDevice: () => OpenDevice, primitives: PairPrimitives) {
    this.#shared = shared;
    this.#openDevice = openDevice;
    this.#primitives = primitives;
  }

  /** One envelope per recipient, in order, of requests with and without cards. */
  async seal(requests: readonly SealRequest[]): Promise<readonly SealedEnvelope[]> {
    const drawn = requests.map(() => drawEnvelope(this.#primitives.random));
    const work = (secret: Uint8Array): KemWork[] =>
      requests.flatMap(({ pair, ...request }, at) => {
        const randomness = drawn[at];
        return pair === undefined || randomness === undefined ? [] : [sealToCardWork({ ...request, pair }, randomness, secret)];
      });
    return this.#ahead(work, (secret, context) => {
      const { box, header } = this.#openDevice();
      return requests.flatMap((request, at) => {
        const { pair } = request;
        return pair === undefined ? box.seal([request], header.masterPub) : [sealToCard(context, secret, { ...request, pair }, drawn[at])];
      });
    }).finally(() => wipe(...drawn.flatMap(({ once, x25519Secret, hedge }) => [once, x25519Secret, hedge])));
  }

  async draw(request: DrawCardsRequest): Promise<readonly DrawnCard[] | null> {
    const cardKey = await this.#newestKey();
    return drawCards(this.#context(), this.#openDevice().credentials, request, cardKey);
  }

  async drawPublic(request: DrawPublicRequest): Promise<DrawnPublicCard | null> {
    const cardKey = await this.#newestKey();
    return drawPublicCard(this.#context(), this.#openDevice().credentials, request, cardKey);
  }

  async openPublic(request: OpenPublicRequest): Promise<readonly (OpenedPublic | null)[]> {
    return this.#again(() =>
      this.#openDevice().box.withSecret((secret) => openToPublic(this.#context(), secret, request, this.#openDevice().cardKeys)),
    );
  }

  async open(request: OpenPairsRequest): Promise<readonly (Uint8Array | null)[]> {
    return this.#again(() =>
      this.#ahead(
        (secret, context) => [openWithCardsWork(context, secret, request, this.#openDevice().cardKeys)],
        (secret, context) => openWithCards(context, secret, request, this.#openDevice().cardKeys),
      ),
    );
  }

  /** Has work computed elsewhere, where the host can, and then uses it. @throws CodedError KEYRING_LOCKED, also where it was locked meanwhile. */
  async #ahead<T>(
    workOf: (secret: Uint8Array, context: PairContext) => readonly KemWork[],
    use: (secret: Uint8Array, context: PairContext) => T,
  ): Promise<T> {
    const { late, kem } = this.#primitives;
    const batch = new KemAhead(kem);
    try {
      const prepared = this.#openDevice().box.withSecret((secret) => {
        if (late === undefined) return undefined;
        try {
          return Promise.all(workOf(secret, this.#context()).map((work) => batch.prepare(late, work)));
        } catch {
          // What is refused is refused, with its reason, where it is used.
          return undefined;
        }
      });
      await prepared;
      return this.#openDevice().box.withSecret((secret) => use(secret, { ...this.#context(), kem: batch }));
    } finally {
      batch.wipe();
    }
  }

  async reseal(secrets: readonly Uint8Array[]): Promise<readonly (Uint8Array | null)[]> {
    return this.#again(() => resealSecrets(this.#context(), secrets, this.#openDevice().cardKeys));
  }

  /** While the key before is still there, it is what has to be done away with first. */
  renewKey(): Promise<void> {
    return this.#shared.change((section) => {
      const { cardKeys = [] } = section;
      return cardKeys.length > 1 ? undefined : { ...section, cardKeys: [newCardKey(this.#primitives.random), ...cardKeys] };
    });
  }

  dropFormerKey(): Promise<void> {
    return this.#shared.change((section) => {
      const { cardKeys = [] } = section;
      return cardKeys.length > 1 ? { ...section, cardKeys: cardKeys.slice(0, 1) } : undefined;
    });
  }

  /** The key under which new secrets are put. */
  async #newestKey(): Promise<Uint8Array> {
    // Another window may have renewed the key and done away with this one: what lay under it would never open.
    await this.#shared.refresh();
    if (this.#openDevice().cardKeys.length === 0) await this.renewKey();
    const [newest] = this.#openDevice().cardKeys;
    if (newest === undefined) throw new CodedError("INTERNAL", "The vault has no key for cards");
    return newest;
  }

  /** What did not open may lie under a key that another window has made. */
  async #again<T>(attempt: () => readonly (T | null)[] | Promise<readonly (T | null)[]>): Promise<readonly (T | null)[]> {
    const first = await attempt();
    return first.includes(null) && (await this.#shared.refresh()) ? attempt() : first;
  }

  #context(): PairContext {
    const { masterPub, devicePub } = this.#openDevice().header;
    const { kem, random } = this.#primitives;
    return { own: { masterPub, devicePub }, kem, random };
  }
}

/** Pairs of the open device, by the host's primitives or, without them, by those in script. */
export async function loadPairDevice(
  shared: SharedDevice,
  openDevice: () => OpenDevice,
  host: HostKem,
  random: RandomBytes,
): Promise<PairDevice> {
  const kem = host.kem ?? (await import("#shared/protocol/pairs/script-kem.ts")).scriptKem;
  return new PairDevice(shared, openDevice, { kem, random, late: await host.late() });
}
