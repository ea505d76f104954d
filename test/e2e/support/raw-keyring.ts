// The keyring's Worker as a page that was taken over would use it: by raw messages, past the interface.
import type { Page } from "playwright-core";

/** What the Worker posted back. */
export type RawAnswer = { readonly value: unknown } | { readonly error: { readonly code: string } };

/** A Worker of the built keyring in a tab. */
export interface RawKeyring {
  call(method: string, input?: unknown): Promise<RawAnswer>;
}

/** Starts one more keyring Worker in a tab; `name` distinguishes several of one tab. */
export async function startRawKeyring(page: Page, name = "raw"): Promise<RawKeyring> {
  const url = page
    .workers()
    .find((worker) => worker.url().includes("keyring-worker"))
    ?.url();
  if (url === undefined) throw new Error("The tab has no keyring Worker yet");
  await page.evaluate(
    ({ path, id }) => {
      const worker = new Worker(path, { type: "module" });
      Object.assign(globalThis, { [id]: worker });
    },
    { path: url, id: name },
  );
  let lastId = 0;
  return {
    call: async (method, input): Promise<RawAnswer> => {
      lastId += 1;
      return await page.evaluate(
        ({ id, request }) =>
          new Promise<RawAnswer>((resolve) => {
            const worker = (globalThis as unknown as Record<string, Worker>)[id];
            worker?.addEventListener("message", function onMessage({ data }) {
              if (data.id !== request.id) return;
              worker.removeEventListener("message", onMessage);
              resolve("error" in data ? { error: { code: data.error.code } } : { value: data.value });
            });
            // Byte lists cross into the page as lists of numbers.
            const input = JSON.parse(JSON.stringify(request.input ?? null), (key, part) =>
              key === "plaintext" ? new Uint8Array(part) : part,
            );
            worker?.postMessage({ ...request, input: input ?? undefined });
          }),
        { id: name, request: { id: lastId, method, input } },
      );
    },
  };
}
