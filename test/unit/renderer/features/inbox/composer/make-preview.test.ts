// What a page says, as it is sent: within the bounds of a preview whatever the node answers.
import { expect, it } from "vitest";
import { makePreview } from "#renderer/features/inbox/composer/links/make-preview.ts";
import { MAX_PREVIEW_DESCRIPTION_CHARS, MAX_PREVIEW_TITLE_CHARS } from "#shared/content/chat/link-preview.ts";
import { toBase64, utf8 } from "#shared/util/bytes.ts";

const LINK = "https://page.example/";

it("is cut to what a preview holds, and without a picture that is none or has too many pixels", async () => {
  const giant = Uint8Array.from([...utf8("RIFF"), 22, 0, 0, 0, ...utf8("WEBPVP8X"), 10, 0, 0, 0, 0, 0, 0, 0, 255, 63, 0, 255, 63, 0]);
  for (const picture of ["", toBase64(utf8("<svg/>")), toBase64(giant)]) {
    const asked: unknown[] = [];
    const answer = { title: `${"😀".repeat(300)}`, description: `${"d".repeat(1_000)}\ud800`, picture_b64: picture };
    const client = { readPage: (input: unknown): Promise<typeof answer> => Promise.resolve(answer).finally(() => asked.push(input)) };
    const preview = await makePreview(client as never, LINK, new AbortController().signal);
    expect([...preview.title]).toHaveLength(MAX_PREVIEW_TITLE_CHARS);
    expect([...preview.description]).toHaveLength(MAX_PREVIEW_DESCRIPTION_CHARS);
    expect([preview.link, preview.picture, asked]).toEqual([LINK, "", [{ body: { url: LINK } }]]);
  }
});
