// What the page has for paper, as a PDF file. The shell draws and writes it; the page learns neither the place nor whether it exists.
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserWindow, Dialog } from "electron";
import { CodedError } from "#shared/errors/coded-error.ts";

/** Statements have two hundred pages at most, which take some megabytes: more is nothing that the interface made for paper. */
const MAX_PDF_BYTES = 128 * 1_024 * 1_024;

export interface PdfDependencies {
  readonly dialog: Pick<Dialog, "showSaveDialog">;
  readonly window: () => BrowserWindow | undefined;
  /** Folder that is offered first. */
  readonly folder: () => string;
}

/** Saves one file at a time. */
export class PdfFiles {
  readonly #dependencies: PdfDependencies;
  #isBusy = false;

  constructor(dependencies: PdfDependencies) {
    this.#dependencies = dependencies;
  }

  /** False when the person chose no place, or when a question for one is open. @throws CodedError PAYLOAD_TOO_LARGE, or STORAGE_UNWRITABLE; what was there stays. */
  async save(name: string): Promise<boolean> {
    const window = this.#dependencies.window();
    if (window === undefined || this.#isBusy) return false;
    this.#isBusy = true;
    try {
      // Drawn before the question: the page may be locked by the time that it is answered.
      const bytes = await window.webContents.printToPDF({ pageSize: "A4", printBackground: false, generateTaggedPDF: true });
      if (bytes.length > MAX_PDF_BYTES) throw new CodedError("PAYLOAD_TOO_LARGE", "The PDF file is too large");
      const { canceled, filePath } = await this.#dependencies.dialog.showSaveDialog(window, {
        defaultPath: join(this.#dependencies.folder(), name),
        filters: [{ name: "PDF", extensions: ["pdf"] }],
      });
      if (canceled || filePath === "") return false;
      await replaceWith(filePath, bytes);
      return true;
    } finally {
      this.#isBusy = false;
    }
  }
}

/** A file of that name is there until all of the new one is: a full disk leaves it as it was. */
async function replaceWith(path: string, bytes: Uint8Array): Promise<void> {
  const part = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(part, bytes, { flag: "wx" });
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw new CodedError("STORAGE_UNWRITABLE", "The file cannot be written there: check permissions and free space", { cause: error });
  }
}
