// Transfers are rare: their code is loaded when one begins, or was under way.

import type { DeviceTransferInput, DeviceTransferView } from "../model/device-transfer.ts";
import { DEVICE_TRANSFER_KEY } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import type { DeviceTransfer } from "./device-transfer.ts";
import type { UnfinishedLinks } from "./unfinished-links.ts";

/** Loads {@link DeviceTransfer} on demand. */
export class DeviceTransferGate {
  readonly #links: UnfinishedLinks;
  readonly #context: EngineContext;
  #transfer: DeviceTransfer | undefined;
  #isStopped = false;

  constructor(context: EngineContext, links: UnfinishedLinks) {
    this.#context = context;
    this.#links = links;
  }

  get view(): DeviceTransferView | null {
    return this.#transfer?.view ?? null;
  }

  /** Continues what was under way. */
  async resume(): Promise<void> {
    await this.#links.load();
    const record = await this.#context.store.readMeta<unknown>(DEVICE_TRANSFER_KEY);
    if (record !== undefined && record !== null) await (await this.#open()).resume();
  }

  /** Transfers saved notes and messages to a device that was just linked; continues after a restart. */
  async sendDeviceTransfer(input: DeviceTransferInput): Promise<void> {
    await (await this.#open()).send(input);
  }

  /** Ends the transfer on both devices; once it is over, takes the note of it away. */
  async cancelDeviceTransfer(): Promise<void> {
    await this.#transfer?.cancel();
  }

  stop(): void {
    this.#isStopped = true;
    this.#transfer?.stop();
  }

  async #open(): Promise<DeviceTransfer> {
    const loaded = await import("./device-transfer.ts");
    this.#transfer ??= new loaded.DeviceTransfer(this.#context, this.#links);
    if (this.#isStopped) this.#transfer.stop();
    return this.#transfer;
  }
}
