// Names that strangers chose may be on a page twice: React must still tell the rows apart.
import type { ReactElement, ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, describe, expect, it, vi } from "vitest";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { LogLine } from "#renderer/features/explorer/contracts/log-line.tsx";
import { SearchHits } from "#renderer/features/explorer/search/search-hits.tsx";
import { en } from "#renderer/lib/messages/en.ts";
import { MessagesProvider } from "#renderer/lib/messages/messages-context.tsx";
import type { SearchResult } from "#shared/api/schemas/search.ts";
import { takeRepeatedKeys } from "#test/support/host/repeated-keys.ts";

vi.mock("react/jsx-dev-runtime", async (original) => {
  const { watchKeys } = await import("#test/support/host/repeated-keys.ts");
  return watchKeys(await original<Record<string, unknown>>());
});
// After a build in the same process the compiler writes calls of this one.
vi.mock("react/jsx-runtime", async (original) => {
  const { watchKeys } = await import("#test/support/host/repeated-keys.ts");
  return watchKeys(await original<Record<string, unknown>>());
});
vi.mock("@tanstack/react-router", () => {
  const Link = ({ children }: { readonly children?: ReactNode }): ReactElement => <a href="/">{children}</a>;
  return { Link, createLink: (row: (props: object) => ReactElement) => row };
});

afterEach(() => void takeRepeatedKeys());

/** Keys that are in a list of the page twice. */
function repeated(page: ReactNode): { readonly keys: readonly string[]; readonly html: string } {
  const html = renderToStaticMarkup(
    <MessagesProvider locale="en" catalogue={en}>
      {page}
    </MessagesProvider>,
  );
  return { keys: takeRepeatedKeys(), html };
}

describe("keys of lists in the explorer", () => {
  it("are watched by these tests", () => {
    const item = (text: string): ReactElement => <li key="same">{text}</li>;
    expect(repeated(<ul>{["a", "b"].map(item)}</ul>).keys).toEqual(["same"]);
  });

  it("differ for rows of the same label, as an argument named like a field of the page", () => {
    const rows = [
      { label: "Method", value: "pay" },
      { label: "Method", value: "an argument" },
    ];
    const { keys, html } = repeated(<KeyValueList rows={rows} />);
    expect([keys, html.match(/<dt/g)?.length]).toEqual([[], 2]);
  });

  it("differ for a field that an event has twice", () => {
    const message = '{"event":"Paid","index":{"id":"7"},"data":{"id":7,"id":8}}';
    const { keys, html } = repeated(<LogLine message={message} abi={undefined} />);
    expect([keys, html.match(/<dt/g)?.length]).toEqual([[], 3]);
  });

  it("differ for a token and an NFT of the same id", () => {
    const none = { accounts: [], usernames: [], blocks: [], transactions: [], contracts: [], validators: [], relays: [] };
    const id = "gold";
    const result = {
      ...none,
      tokens: [{ token_id: id, name: "Gold", symbol: "GLD" }],
      nfts: [{ nft_id: id, name: "A bar of gold" }],
    } as unknown as SearchResult;
    const { keys, html } = repeated(<SearchHits result={result} />);
    expect(keys).toEqual([]);
    expect(html).toContain("A bar of gold");
  });
});
