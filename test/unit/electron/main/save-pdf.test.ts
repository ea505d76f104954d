import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserWindow } from "electron";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PdfFiles } from "#electron/main/files/save-pdf.ts";

describe("a PDF file of what is for paper", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "parley-pdf-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A window that prints so many bytes, and a dialog that answers with a path; "" for none. */
  function files(path: string, bytes = 4): { pdfs: PdfFiles; asked: string[]; printed: unknown[]; answer: () => void } {
    const asked: string[] = [];
    const printed: unknown[] = [];
    const waiting = Promise.withResolvers<void>();
    const printToPDF = async (options: unknown): Promise<{ length: number }> => {
      printed.push(options);
      return bytes > 1_000 ? { length: bytes } : Buffer.alloc(bytes, "%");
    };
    const pdfs = new PdfFiles({
      dialog: {
        showSaveDialog: (async (_window: unknown, { defaultPath }: { readonly defaultPath: string }) => {
          asked.push(defaultPath);
          await waiting.promise;
          return { canceled: path === "", filePath: path };
        }) as never,
      },
      window: () => ({ webContents: { printToPDF } }) as unknown as BrowserWindow,
      folder: () => folder,
    });
    return { pdfs, asked, printed, answer: () => waiting.resolve() };
  }

  it("is written where the person chose, one at a time", async () => {
    const path = join(folder, "chosen.pdf");
    const { pdfs, asked, printed, answer } = files(path);
    const saving = pdfs.save("parley-2026.pdf");
    expect(await pdfs.save("parley-2025.pdf")).toBe(false);
    answer();
    expect(await saving).toBe(true);
    expect(asked).toEqual([join(folder, "parley-2026.pdf")]);
    expect(printed).toHaveLength(1);
    expect(readFileSync(path, "utf8")).toBe("%%%%");
    expect(await pdfs.save("parley-2025.pdf")).toBe(true);
  });

  it("shows the page as it was when it was asked for: it may be locked before the person chose a place", async () => {
    const { pdfs, asked, printed, answer } = files(join(folder, "a.pdf"));
    const saving = pdfs.save("a.pdf");
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    expect(printed).toHaveLength(1);
    answer();
    expect(await saving).toBe(true);
  });

  it("leaves what was there, and no part of the new one, where it cannot be written", async () => {
    const path = join(folder, "taken");
    mkdirSync(join(path, "inner"), { recursive: true });
    const { pdfs, answer } = files(path);
    answer();
    await expect(pdfs.save("a.pdf")).rejects.toThrow("cannot be written there");
    expect(readdirSync(folder)).toEqual(["taken"]);
  });

  it("is not written where no place was chosen, or where it is absurdly large", async () => {
    const none = files("");
    none.answer();
    expect(await none.pdfs.save("a.pdf")).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
    const path = join(folder, "large.pdf");
    const large = files(path, 200_000_000);
    large.answer();
    await expect(large.pdfs.save("a.pdf")).rejects.toThrow("too large");
    expect(existsSync(path)).toBe(false);
  });
});
