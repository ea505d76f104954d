// Raw deflate undone by the browser, up to a bound.
import type { Inflate } from "#shared/content/contract-source.ts";
import { concatBytes } from "#shared/util/bytes.ts";

export const inflate: Inflate = async (bytes, most) => {
  const reader = new Blob([Uint8Array.from(bytes)]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      length += next.value.length;
      if (length > most) {
        await reader.cancel();
        return undefined;
      }
      parts.push(next.value);
    }
    return concatBytes(...parts);
  } catch {
    // What is no deflate ends as an error of the stream.
    return undefined;
  }
};
