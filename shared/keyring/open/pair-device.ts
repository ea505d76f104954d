// The open device as one side of pairs. What opens a card lies under a key in the vault, which several windows may renew: whatever does not
// open is tried again with what another window has stored.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { KemPrimitives } from "#shared/protocol/pairs/kem-primitives.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import { drawCards, newCardKey, openWithCards, type PairContext, resealSecrets, sealToCard } from "../devices/pair-cards.ts";
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
import type { OpenDevice } from "./open-keys.ts";
import type { SharedDevice } from "./shared-device.ts";

/** Pairs of one device, while it is open. */
export class PairDevice {
  readonly #shared: SharedDevice;
  readonly #openDevice: () => OpenDevice;
  readonly #primitives: Pick<PairContext, "kem" | "random">;

  /** `openDevice` throws KEYRING_LOCKED while the keyring is locked. */
  constructor(shared: SharedDevice, openDevice: () => OpenDevice, primitives: Pick<PairContext, "kem" | "random">) {
    this.#shared = shared;
    this.#openDevice = openDevice;
    this.#primitives = primitives;
  }

  /** One envelope per recipient, in order, of requests with and without cards. */
  seal(requests: readonly SealRequest[]): readonly SealedEnvelope[] {
    const { box, header } = this.#openDevice();
    return box.withSecret((secret) =>
      requests.flatMap((request) => {
        const { pair } = request;
        return pair === undefined ? box.seal([request], header.masterPub) : [sealToCard(this.#context(), secret, { ...request, pair })];
      }),
    );
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
      this.#openDevice().box.withSecret((secret) => openWithCards(this.#context(), secret, request, this.#openDevice().cardKeys)),
    );
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
  async #again<T>(attempt: () => readonly (T | null)[]): Promise<readonly (T | null)[]> {
    const first = attempt();
    return first.includes(null) && (await this.#shared.refresh()) ? attempt() : first;
  }

  #context(): PairContext {
    const { masterPub, devicePub } = this.#openDevice().header;
    return { own: { masterPub, devicePub }, ...this.#primitives };
  }
}

/** Pairs of the open device, by the host's primitives or, without them, by those in script. */
export async function loadPairDevice(
  shared: SharedDevice,
  openDevice: () => OpenDevice,
  { kem, random }: { readonly kem: KemPrimitives | undefined; readonly random: RandomBytes },
): Promise<PairDevice> {
  const primitives = kem ?? (await import("#shared/protocol/pairs/script-kem.ts")).scriptKem;
  return new PairDevice(shared, openDevice, { kem: primitives, random });
}
