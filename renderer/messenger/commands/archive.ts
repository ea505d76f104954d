// Everything at once, in a backup and back, and the files of messages.

import { readFile } from "../changes/files.ts";
import type { SharedFiles } from "../model/conversation.ts";
import type { BackupContents, RestoredBackup } from "../model/device-transfer.ts";
import type { ConversationId, MessageKey } from "../model/message.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { exportHistory, importHistory } from "../transfer/history-backup.ts";
import { sharedFiles } from "../views/shared-files.ts";

/** Backups and files of a running messenger. */
export class Archive {
  readonly #context: EngineContext;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /** An encrypted file of all conversations, groups and messages, of what the app adds, and of attached files where wished. */
  exportBackup(password: string, contents: BackupContents): Promise<Uint8Array> {
    return exportHistory(this.#context, password, contents);
  }

  /**
   * Adds the messages and files of a backup that are not here.
   * @throws CodedError BACKUP_WRONG_PASSWORD, BACKUP_DAMAGED, BACKUP_FOREIGN; then nothing was changed.
   */
  importBackup(file: Uint8Array, password: string): Promise<RestoredBackup> {
    return importHistory(this.#context, file, password);
  }

  /** The file of a message, or undefined while parts of it are missing. @throws CodedError LOCAL_STORE_FAILED when it is damaged. */
  readFile(key: MessageKey): Promise<Uint8Array | undefined> {
    return readFile(this.#context, key);
  }

  /** Messages with files before a position (null: the newest), at most `limit`; fewer when it would take long to find more. */
  sharedFiles(id: ConversationId, from: { readonly before: SharedFiles["next"]; readonly limit: number }): Promise<SharedFiles> {
    return sharedFiles(this.#context, id, from);
  }
}
