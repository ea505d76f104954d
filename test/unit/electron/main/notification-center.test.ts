import { describe, expect, it } from "vitest";
import { MAX_SHOWN_NOTICES, NotificationCenter, type ShownNotification } from "#electron/main/windows/notification-center.ts";
import type { DesktopNotice } from "#shared/desktop/desktop-api.ts";
import type { NotificationPreview } from "#shared/desktop/desktop-settings.ts";

interface Shown {
  readonly title: string;
  readonly body: string;
  click: () => void;
  isOpen: boolean;
}

interface World {
  readonly center: NotificationCenter;
  readonly shown: Shown[];
  readonly opened: string[];
}

function world(preview: NotificationPreview, isWatched = false): World {
  const shown: Shown[] = [];
  const opened: string[] = [];
  const center = new NotificationCenter({
    show: (content): ShownNotification => {
      const one: Shown = { ...content, click: () => undefined, isOpen: true };
      shown.push(one);
      return {
        onClick: (listener): void => {
          one.click = listener;
        },
        close: (): void => {
          one.isOpen = false;
        },
      };
    },
    preview: (): NotificationPreview => preview,
    isWatched: (): boolean => isWatched,
    open: (path): void => void opened.push(path),
  });
  return { center, shown, opened };
}

const notice = (conversation: string, body: string): DesktopNotice => ({
  conversation,
  path: `/inbox/${conversation}`,
  title: "Ada",
  body,
});

describe("NotificationCenter", () => {
  it("groups by conversation: one notification that counts", () => {
    const { center, shown } = world("message");
    center.notify(notice("a", "one"));
    center.notify(notice("b", "other"));
    center.notify(notice("a", "two"));
    expect(shown.filter(({ isOpen }) => isOpen).map(({ body }) => body)).toEqual(["other", "2 new messages"]);
  });

  it("shows a bounded number, the newest", () => {
    const { center, shown } = world("message");
    for (let index = 0; index <= MAX_SHOWN_NOTICES; index += 1) center.notify(notice(`payment ${index}`, `${index}`));
    expect(shown.filter(({ isOpen }) => !isOpen).map(({ body }) => body)).toEqual(["0"]);
  });

  it.each([
    ["message", "Ada", "the secret"],
    ["sender", "Ada", "New message"],
    ["hidden", "Parley", "New message"],
  ] as const)("shows with preview %s only what it says", (preview, title, body) => {
    const { center, shown } = world(preview);
    center.notify(notice("a", "the secret"));
    expect(shown).toMatchObject([{ title, body }]);
  });

  it("is silent when it is off or the person is looking", () => {
    const off = world("off");
    off.center.notify(notice("a", "x"));
    const watched = world("message", true);
    watched.center.notify(notice("a", "x"));
    expect([...off.shown, ...watched.shown]).toEqual([]);
  });

  it("opens the conversation on a click and restarts the count", () => {
    const { center, shown, opened } = world("message");
    center.notify(notice("a", "one"));
    shown[0]?.click();
    center.notify(notice("a", "two"));
    expect(opened).toEqual(["/inbox/a"]);
    expect(shown.at(-1)?.body).toBe("two");
  });

  it("goes away once it was read on another device", () => {
    const { center, shown } = world("message");
    center.notify(notice("a", "one"));
    center.notify(notice("b", "two"));
    center.clear("a");
    expect(shown.map(({ isOpen }) => isOpen)).toEqual([false, true]);
    center.clearAll();
    expect(shown.some(({ isOpen }) => isOpen)).toBe(false);
  });

  it("keeps texts to one short line without control and direction characters", () => {
    const { center, shown } = world("message");
    center.notify(notice("a", `evil\u202Etxt.exe\n\u0007second ${"x".repeat(500)}`));
    expect(shown[0]?.body).toMatch(/^evil txt\.exe second x+…$/);
    expect([...(shown[0]?.body ?? "")]).toHaveLength(200);
  });
});
