import { beforeEach, describe, expect, it, vi } from "vitest";
import { useToastQueue } from "#renderer/lib/toast-queue.ts";

describe("toasts on their way", () => {
  beforeEach(() => useToastQueue.setState(useToastQueue.getInitialState()));

  it("wait until they are taken, and are taken once", () => {
    const { add, take } = useToastQueue.getState();
    add({ title: "Copied" });
    add({ title: "Saved" });
    expect(take().map(({ title }) => title)).toEqual(["Copied", "Saved"]);
    expect(take()).toEqual([]);
  });

  it("are closed by their id, whether they wait or are shown", () => {
    const { add, take, close, takeOutdated } = useToastQueue.getState();
    add({ id: "a", title: "A asks" });
    add({ id: "b", title: "B asks" });
    add({ title: "Saved" });
    close("a");
    expect(take().map(({ title }) => title)).toEqual(["B asks", "Saved"]);
    close("b");
    expect(takeOutdated()).toEqual(["a", "b"]);
    expect(takeOutdated()).toEqual([]);
  });

  it("act once, however often their button is pressed while they leave", () => {
    const { add, take } = useToastQueue.getState();
    const onSelect = vi.fn();
    add({ title: "Deleted", action: { label: "Undo", onSelect } });
    const [toast] = take();
    toast?.action?.onSelect();
    toast?.action?.onSelect();
    expect(onSelect).toHaveBeenCalledOnce();
  });

  it("are not remembered as closed before the first is shown", () => {
    const { close, takeOutdated } = useToastQueue.getState();
    close("a");
    expect(useToastQueue.getState().isNeeded).toBe(false);
    expect(takeOutdated()).toEqual([]);
  });
});
