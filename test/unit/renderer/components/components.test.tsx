import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { QrCode } from "#renderer/components/basics/qr-code.tsx";
import { Time } from "#renderer/components/basics/time.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { phraseProblem, phraseWords } from "#renderer/components/secrets/phrase-field.tsx";
import { StrengthAloud } from "#renderer/components/secrets/strength-meter.tsx";
import { createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { en } from "#renderer/lib/messages/en.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PasswordEstimate } from "#shared/keyring/passwords/password-estimate.ts";

const text = (html: string): string => html.replace(/<[^>]*>/g, "");

describe("Amount", () => {
  it("copies as the exact plain amount, however it is grouped", () => {
    expect(text(renderToStaticMarkup(<Amount amountUt={1_234_567_890_123} />))).toBe("1234567.890123 T");
    expect(text(renderToStaticMarkup(<Amount amountUt={1_500_000} direction="in" />))).toBe("+1.5 T");
    expect(text(renderToStaticMarkup(<Amount amountUt={1} direction="out" />))).toBe("−0.000001 T");
  });

  it("has all decimals where it changes by itself, so that its unit stays where it is", () => {
    const live = [12_000_000, 12_500_000, 12_345_678].map((amountUt) => text(renderToStaticMarkup(<Amount isLive amountUt={amountUt} />)));
    expect(live).toEqual(["12.000000 T", "12.500000 T", "12.345678 T"]);
  });
});

describe("Time", () => {
  it("carries the exact moment for machines and in its title", () => {
    const html = renderToStaticMarkup(<Time at="2020-01-02T03:04:05Z" />);
    expect(html).toContain('dateTime="2020-01-02T03:04:05.000Z"');
    expect(html).toMatch(/title="[^"]*2020/);
  });

  it("says so when the time is unreadable, or beyond what a date can be", () => {
    for (const at of ["soon", Number.NaN, 1e300, -8.64e15 - 1])
      expect(text(renderToStaticMarkup(<Time at={at} />))).toBe(en["common.unknown"]);
  });
});

describe("TextField", () => {
  it("ties label, control and error together", () => {
    const html = renderToStaticMarkup(<TextField label="Name" value="" onChange={(): void => undefined} error="Too long" />);
    const id = /<input id="([^"]+)"/.exec(html)?.[1] ?? "";
    expect(html).toContain(`for="${id}"`);
    expect(html).toContain(`aria-describedby="${id}-note"`);
    expect(html).toContain('aria-invalid="true"');
    expect(html).toContain("Too long");
  });

  it("reads an error aloud when it comes, and no hint: that one is heard with the field", () => {
    const nothing = (): void => undefined;
    const live = (html: string): string => text(/<div aria-live="polite">.*/.exec(html)?.[0] ?? "no live region");
    expect(live(renderToStaticMarkup(<TextField label="Name" value="" onChange={nothing} error="Too long" />))).toBe("Too long");
    const hinted = renderToStaticMarkup(<TextField label="Name" value="" onChange={nothing} hint="As others see it" />);
    expect(hinted).toContain("As others see it");
    expect(live(hinted)).toBe("");
    // It is in the page, and not hidden, before there is an error: what comes with its words is not read.
    expect(live(renderToStaticMarkup(<TextField label="Name" value="" onChange={nothing} />))).toBe("");
    expect(hinted).not.toContain(" hidden");
  });
});

describe("StrengthAloud", () => {
  it("is one text in one live region", () => {
    const estimate: PasswordEstimate = { guessesLog10: 2, isAcceptable: false, warning: null, suggestions: [] };
    const html = renderToStaticMarkup(<StrengthAloud password="abc" estimate={estimate} />);
    expect(html.match(/<output>[^<]+<\/output>/g)).toHaveLength(1);
    expect(text(renderToStaticMarkup(<StrengthAloud password="" estimate={undefined} />))).toBe("");
  });
});

describe("Banner", () => {
  it("interrupts only for danger", () => {
    expect(renderToStaticMarkup(<Banner tone="danger" title="x" />)).toContain('role="alert"');
    expect(renderToStaticMarkup(<Banner tone="warning" title="x" />)).toContain('role="status"');
  });
});

describe("KeyValueList", () => {
  it("is a description list", () => {
    const html = renderToStaticMarkup(<KeyValueList rows={[{ label: "Fee", value: "0.001 T" }]} />);
    expect(html).toMatch(/<dl.*<dt[^>]*>Fee<\/dt><dd[^>]*>0\.001 T<\/dd>.*<\/dl>/);
  });
});

describe("QrCode", () => {
  it("has a name and a quiet zone of four modules", () => {
    const html = renderToStaticMarkup(<QrCode text="pl1abc" label="my address" />);
    expect(html).toContain('aria-label="QR code of my address"');
    const coordinates = [...html.matchAll(/M(\d+) (\d+)h1/g)].map((match) => [Number(match[1]), Number(match[2])]);
    expect(Math.min(...coordinates.flat())).toBe(4);
  });
});

describe("phraseProblem", () => {
  const t = createTranslate("en", en);
  const phrase = "abandon abillity able";

  it("names the wrong word, taken from the field", () => {
    const error = new CodedError("PHRASE_INVALID", "", { details: { position: 2 } });
    expect(phraseProblem(t, phrase, error)).toContain("Word 2, “abillity”");
  });

  it("tells a wrong count from a wrong order", () => {
    expect(phraseProblem(t, phrase, new CodedError("PHRASE_INVALID", "", { details: { words: 3 } }))).toContain("you entered 3");
    expect(phraseProblem(t, phrase, new CodedError("PHRASE_INVALID", ""))).toBe(en["onboarding.phraseWrongOrder"]);
    expect(phraseProblem(t, phrase, null)).toBeUndefined();
  });

  it("counts words by white space of any kind", () => {
    expect(phraseWords("  Abandon\n able\tabout ")).toEqual(["abandon", "able", "about"]);
  });
});
