import type { IpcMainInvokeEvent } from "electron";
import { describe, expect, it } from "vitest";
import { type DesktopHandlers, routeCalls } from "#electron/main/ipc/call-router.ts";
import { CALL_CHANNEL } from "#shared/desktop/channels.ts";
import { CodedError } from "#shared/errors/coded-error.ts";

type Frame = IpcMainInvokeEvent["senderFrame"];
type Listener = (event: IpcMainInvokeEvent, name: unknown, input: unknown) => Promise<unknown>;

interface World {
  call(name: unknown, input: unknown, frame?: Frame): Promise<unknown>;
  readonly seen: unknown[];
  readonly failures: unknown[];
}

const INTERFACE = { url: "app://parley/inbox", parent: null } as NonNullable<Frame>;

function world(): World {
  const seen: unknown[] = [];
  const failures: unknown[] = [];
  const note =
    (name: string) =>
    (input: unknown): null => {
      seen.push([name, input]);
      return null;
    };
  const handlers = {
    setUnread: note("setUnread"),
    notify: note("notify"),
    changeSettings: note("changeSettings"),
    restartNode: (): never => {
      throw new CodedError("STORAGE_FULL", "The disk is full");
    },
    diagnostics: (): never => {
      throw new Error("secret detail at /home/ada");
    },
  } as unknown as DesktopHandlers;
  let listener: Listener | undefined;
  routeCalls(
    {
      handle: (channel, registered): void => {
        expect(channel).toBe(CALL_CHANNEL);
        listener = registered as Listener;
      },
    },
    handlers,
    (error) => void failures.push(error),
  );
  return {
    call: async (name, input, frame = INTERFACE) => await listener?.({ senderFrame: frame } as IpcMainInvokeEvent, name, input),
    seen,
    failures,
  };
}

describe("calls of the interface", () => {
  it("reach their handler with a checked argument", async () => {
    const { call, seen } = world();
    expect(await call("setUnread", { count: 3 })).toEqual({ value: null });
    expect(seen).toEqual([["setUnread", { count: 3 }]]);
  });

  it.each([
    ["another page", { url: "https://example.org/", parent: null }],
    ["a page that pretends", { url: "app://parley.example.org/", parent: null }],
    ["an embedded frame", { url: "app://parley/", parent: INTERFACE }],
    ["a frame that is gone", null],
  ])("are refused from %s", async (_, frame) => {
    const { call, seen } = world();
    expect(await call("setUnread", { count: 3 }, frame as Frame)).toEqual({ error: "Refused: not the interface" });
    expect(seen).toEqual([]);
  });

  it.each(["__proto__", "constructor", "toString", "quit", "", 1, null])("are refused when there is none named %s", async (name) => {
    expect(await world().call(name, null)).toEqual({ error: "Refused: no such call" });
  });

  it.each([
    ["setUnread", { count: -1 }],
    ["setUnread", { count: 1, more: true }],
    ["setUnread", null],
    ["notify", { conversation: "a", path: "//evil.example/", title: "", body: "" }],
    ["notify", { conversation: "a", path: "https://evil.example/", title: "", body: "" }],
    ["notify", { conversation: "", path: "/inbox/a", title: "", body: "" }],
    ["changeSettings", { apiPort: 80 }],
    ["changeSettings", { dataFolder: "" }],
    ["changeSettings", { other: 1 }],
    ["state", {}],
  ])("are refused with a wrong argument: %s %j", async (name, input) => {
    const { call, seen } = world();
    expect(await call(name, input)).toEqual({ error: `Refused: the argument of ${name} has the wrong shape` });
    expect(seen).toEqual([]);
  });

  it("answer with words, and keep what is not for the page to themselves", async () => {
    const { call, failures } = world();
    expect(await call("restartNode", null)).toEqual({ error: "The disk is full" });
    expect(failures).toEqual([]);
    expect(await call("diagnostics", null)).toEqual({ error: "The desktop app failed; its log says why" });
    expect(failures).toMatchObject([{ message: "secret detail at /home/ada" }]);
  });
});
