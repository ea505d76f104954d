import { describe, expect, it } from "vitest";
import { createNoticeBoard, MAX_SHOWN_NOTICES, type NoticeContent } from "#renderer/app/desktop/notice-board.ts";
import type { NoticePort } from "#renderer/app/desktop/notice-port.ts";
import type { NotificationPreview } from "#shared/desktop/desktop-settings.ts";

interface World {
  readonly port: NoticePort;
  readonly shown: (NoticeContent & { readonly click: () => void; isOpen: boolean })[];
  readonly opened: string[];
}

function world(preview: NotificationPreview, { isWatched = false, isElsewhere = false } = {}): World {
  const shown: World["shown"] = [];
  const opened: string[] = [];
  const port = createNoticeBoard({
    show: (content) => {
      let listener = (): void => undefined;
      const one = { ...content, click: (): void => listener(), isOpen: true };
      shown.push(one);
      return {
        onClick: (next): void => {
          listener = next;
        },
        close: (): void => {
          one.isOpen = false;
        },
      };
    },
    preview: () => preview,
    isWatched: () => isWatched,
    isElsewhere: () => isElsewhere,
    open: (path) => opened.push(path),
    instead: (kind, count) => `${count} ${kind}`,
  });
  return { port, shown, opened };
}

const NOTICE = { conversation: "ada", path: "/inbox/ada", title: "Ada", body: "See\n\u202eyou" };

describe("notices of a browser", () => {
  it.each([
    ["message", "Ada", "See you"],
    ["sender", "Ada", "1 message"],
    ["hidden", "Parley", "1 message"],
  ] as const)("show as much as %s says", (preview, title, body) => {
    const { port, shown } = world(preview);
    port.show(NOTICE);
    expect(shown).toMatchObject([{ title, body, tag: "ada" }]);
  });

  it("are none while one looks, where they are off, or while another tab shows them", () => {
    for (const { port, shown } of [world("message", { isWatched: true }), world("off"), world("message", { isElsewhere: true })]) {
      port.show(NOTICE);
      expect(shown).toEqual([]);
    }
  });

  it("are a bounded number, the newest: each payment has one of its own", () => {
    const { port, shown } = world("message");
    for (let index = 0; index < MAX_SHOWN_NOTICES; index += 1) port.show({ ...NOTICE, conversation: `payment ${index}` });
    port.show({ ...NOTICE, conversation: "payment 0" });
    port.show({ ...NOTICE, conversation: "ada" });
    expect(shown.filter(({ isOpen }) => !isOpen).map(({ tag }) => tag)).toEqual(["payment 1"]);
    port.show({ ...NOTICE, conversation: "payment 1" });
    expect(shown.at(-1)?.body).toBe("See you");
  });

  it("count in a conversation until it was read, and lead there", () => {
    const { port, shown, opened } = world("message");
    port.show(NOTICE);
    port.show(NOTICE);
    expect(shown[1]?.body).toBe("2 message");
    shown[1]?.click();
    expect(opened).toEqual(["/inbox/ada"]);
    expect(shown[1]?.isOpen).toBe(false);
    port.show({ ...NOTICE, kind: "payment" });
    expect(shown[2]?.body).toBe("See you");
    port.clear("ada");
    expect(shown[2]?.isOpen).toBe(false);
  });
});
