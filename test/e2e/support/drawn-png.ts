// Pictures for chats.
import type { Page } from "playwright-core";

/** A picture that the browser draws itself. */
export async function drawnPng(page: Page, width: number, height: number): Promise<Buffer> {
  const bytes = await page.evaluate(
    async ([w, h]) => {
      const canvas = new OffscreenCanvas(w, h);
      const context = canvas.getContext("2d");
      if (context === null) throw new Error("no canvas");
      const sky = context.createLinearGradient(0, 0, 0, h);
      sky.addColorStop(0, "#7fb7d9");
      sky.addColorStop(1, "#f6d7a7");
      context.fillStyle = sky;
      context.fillRect(0, 0, w, h);
      context.fillStyle = "#24506b";
      context.fillRect(0, (2 * h) / 3, w, h / 3);
      const blob = await canvas.convertToBlob({ type: "image/png" });
      return [...new Uint8Array(await blob.arrayBuffer())];
    },
    [width, height] as const,
  );
  return Buffer.from(bytes);
}
