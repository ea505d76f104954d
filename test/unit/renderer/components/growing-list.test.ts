// A short list stands in the document as a whole; of a long one there are rows before its code is there, and only those in view after it.
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { prerender } from "react-dom/static";
import { describe, expect, it } from "vitest";
import { GrowingList } from "#renderer/components/layout/growing-list.tsx";

const ROW_HEIGHT = 60;

function listOf(count: number): ReturnType<typeof createElement> {
  return createElement(GrowingList<string>, {
    label: "Chats",
    items: Array.from({ length: count }, (_, index) => `row ${index + 1}`),
    keyOf: (item): string => item,
    estimateSize: ROW_HEIGHT,
    renderItem: (item): string => item,
  });
}

function rowsOf(markup: string): readonly string[] {
  return [...markup.matchAll(/<li[^>]*>([^<]*)<\/li>/g)].map(([, text = ""]) => text);
}

/** What is there once everything that is loaded later has come. */
async function loaded(count: number): Promise<string> {
  const { prelude } = await prerender(listOf(count));
  return new Response(prelude).text();
}

describe("a list that grows", () => {
  it("has all rows of a short list", async () => {
    expect(rowsOf(renderToStaticMarkup(listOf(40)))).toHaveLength(40);
    expect(rowsOf(await loaded(40))).toHaveLength(40);
  });

  it("shows the first rows of a long list until its code is there, and says how many there are", () => {
    const markup = renderToStaticMarkup(listOf(5_000));
    expect(rowsOf(markup)).toEqual(Array.from({ length: 40 }, (_, index) => `row ${index + 1}`));
    expect(markup).toContain('aria-setsize="5000"');
  });

  it("gives a long list its full height, of which only the rows in view are in the document", async () => {
    const markup = await loaded(5_000);
    expect(markup).toContain(`height:${5_000 * ROW_HEIGHT}px`);
    expect(rowsOf(markup).length).toBeLessThan(40);
  });
});
