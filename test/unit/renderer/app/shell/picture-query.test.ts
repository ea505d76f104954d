// When the bytes of a person's picture are read from the store.
import { QueryClient } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { pictureQuery } from "#renderer/app/shell/background/use-profile-picture.ts";
import { smallWebp } from "#test/support/host/sample-images.ts";

it("bytes that come after what names them are looked for until they are there, with growing pauses", async () => {
  const client = new QueryClient();
  let bytes: Uint8Array | undefined;
  const options = pictureQuery({ readPicture: () => Promise.resolve(bytes) }, "aa".repeat(32), "ab");
  const read = async (): Promise<{ readonly data: unknown; readonly isStale: boolean; readonly againMs: unknown }> => {
    const data = await client.fetchQuery({ ...options, staleTime: 0 });
    const query = client.getQueryCache().find<string | null>({ queryKey: options.queryKey });
    if (query === undefined || typeof options.refetchInterval !== "function" || typeof options.staleTime !== "function")
      throw new Error("missing");
    return { data, isStale: options.staleTime(query as never) === 0, againMs: options.refetchInterval(query as never) };
  };
  const missing = [await read(), await read(), await read()];
  expect(missing.map(({ data, isStale, againMs }) => [data, isStale, againMs])).toEqual([
    [null, true, 2_000],
    [null, true, 4_000],
    [null, true, 8_000],
  ]);
  bytes = smallWebp(64);
  expect(await read()).toEqual({ data: expect.stringMatching(/^data:image\/webp;base64,/), isStale: false, againMs: false });
  client.clear();
});
