// Makes and restores backups; loaded with the first one.
import type { BackupContents, RestoredBackup } from "../model/device-transfer.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { type BackupOptions, openBackup, sealBackup } from "./backup.ts";
import { addPart, type HistoryPart, partsOf } from "./history-backup.ts";

/** Backups of a running messenger. */
export class Backups {
  readonly #context: EngineContext;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /**
   * All conversations, groups, messages in an encrypted file, what the app adds, attached files if wished. Unsent messages are marked.
   * @throws CodedError PAYLOAD_TOO_LARGE for more than a gigabyte.
   */
  async exportBackup(password: string, contents: BackupContents): Promise<Uint8Array> {
    return sealBackup(partsOf(this.#context, contents), { ...this.#options(password), random: this.#context.random });
  }

  /**
   * Adds the messages and files of a backup that are not here, and were not deleted here. What was added stays when it is interrupted: the
   * same backup adds the rest.
   * @throws CodedError BACKUP_WRONG_PASSWORD, BACKUP_DAMAGED, BACKUP_FOREIGN; then nothing was changed.
   */
  async importBackup(file: Uint8Array, password: string): Promise<RestoredBackup> {
    const parts = (await openBackup(file, this.#options(password))) as readonly HistoryPart[];
    let restored: RestoredBackup = { messages: 0, chunks: 0, app: undefined };
    for (const part of parts) restored = await this.#context.writer.run(() => addPart(this.#context, part, restored, "backup"));
    return restored;
  }

  #options(password: string): BackupOptions {
    const { account, node, keyring } = this.#context;
    return {
      owner: account.masterPub,
      chainId: node.chainId,
      password,
      deriveKey: (request): Promise<Uint8Array> => keyring.backupKey(request),
    };
  }
}
