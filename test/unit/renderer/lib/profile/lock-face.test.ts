import { beforeEach, describe, expect, it, vi } from "vitest";
import { LOCK_FACE_KEY, type LockFace, readLockFace, storeLockFace } from "#renderer/lib/profile/lock-face.ts";

const ACCOUNT = "ab".repeat(32);
const FACE: LockFace = { account: ACCOUNT, name: "Ann", picture: "data:image/webp;base64,UklGRg==" };

describe("what the lock screen shows of the person", () => {
  const items = new Map<string, string>();
  beforeEach(() => {
    items.clear();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
      removeItem: (key: string) => void items.delete(key),
    });
  });

  it("is stored for one account, and removed without a rest", () => {
    storeLockFace(FACE);
    expect(readLockFace(ACCOUNT)).toEqual(FACE);
    expect(readLockFace("cd".repeat(32))).toBeUndefined();
    expect(readLockFace(undefined)).toBeUndefined();
    storeLockFace(undefined);
    expect([...items]).toEqual([]);
  });

  it("is nothing that something else wrote there", () => {
    const stored = (value: unknown): LockFace | undefined => {
      items.set(LOCK_FACE_KEY, typeof value === "string" ? value : JSON.stringify(value));
      return readLockFace(ACCOUNT);
    };
    for (const value of ["{", "null", "7", { account: ACCOUNT }, { ...FACE, name: "" }, { ...FACE, name: "n".repeat(129) }])
      expect(stored(value)).toBeUndefined();
    // Neither turns around what stands beside it.
    expect(stored({ ...FACE, name: "Ann\u202e\u0007" })).toEqual({ ...FACE, name: "Ann\ufffd\ufffd" });
    const elsewhere = "https://example.org/me.webp";
    const vector = "data:image/svg+xml;base64,PHN2Zz4=";
    const large = `data:image/webp;base64,${"A".repeat(12_000)}`;
    for (const picture of [elsewhere, vector, large, 7, null])
      expect(stored({ ...FACE, picture })).toEqual({ ...FACE, picture: undefined });
  });

  it("leaves no earlier face where there is no room for a new one", () => {
    storeLockFace(FACE);
    vi.stubGlobal("localStorage", {
      setItem: () => {
        throw new DOMException("full", "QuotaExceededError");
      },
      removeItem: (key: string) => void items.delete(key),
    });
    storeLockFace({ ...FACE, name: "Anna" });
    expect([...items]).toEqual([]);
  });

  it("is nothing where the browser refuses to store, and the lock screen opens", () => {
    const refuse = (): never => {
      throw new DOMException("denied", "SecurityError");
    };
    vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse, removeItem: refuse });
    expect(readLockFace(ACCOUNT)).toBeUndefined();
    expect(() => storeLockFace(undefined)).not.toThrow();
    expect(() => storeLockFace(FACE)).not.toThrow();
  });
});
