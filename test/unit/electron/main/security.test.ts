import { describe, expect, it } from "vitest";
import { contentSecurityPolicy } from "#electron/main/security/content-security-policy.ts";
import { isPermissionAllowed } from "#electron/main/security/permissions.ts";
import { isAppUrl, isExternalUrl } from "#electron/main/security/trusted-url.ts";
import { windowOptions } from "#electron/main/windows/create-window.ts";

describe("trusted addresses", () => {
  it.each([
    ["app://parley/", true],
    ["app://parley/wallet?x=1#y", true],
    ["app://parley.evil/", false],
    ["app://evil/?next=app://parley/", false],
    ["app://user@parley/", false],
    ["https://parley/", false],
    ["http://127.0.0.1:8080/", false],
    ["file:///etc/passwd", false],
    ["not an address", false],
    ["", false],
  ])("isAppUrl(%j) is %s", (text, expected) => expect(isAppUrl(text)).toBe(expected));

  it.each([
    ["https://example.org/page", true],
    ["http://example.org/", false],
    ["https://user:secret@example.org/", false],
    ["javascript:alert(1)", false],
    ["file:///etc/passwd", false],
    ["smb://host/share", false],
    ["https://", false],
  ])("isExternalUrl(%j) is %s", (text, expected) => expect(isExternalUrl(text)).toBe(expected));
});

describe("permissions", () => {
  it.each(["media", "geolocation", "notifications", "midi", "hid", "serial", "usb", "openExternal", "clipboard-read", "fullscreen"])(
    "denies %s",
    (permission) => {
      expect(isPermissionAllowed(permission, "app://parley/")).toBe(false);
    },
  );

  it("lets the interface write to the clipboard, and no other page", () => {
    expect(isPermissionAllowed("clipboard-sanitized-write", "app://parley/")).toBe(true);
    expect(isPermissionAllowed("clipboard-sanitized-write", "https://example.org/")).toBe(false);
  });
});

describe("windows", () => {
  it("are sandboxed and isolated, without Node", () => {
    expect(windowOptions("/app/preload.cjs").webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      webSecurity: true,
    });
  });
});

describe("content security policy", () => {
  it("lets only the keyring worker compile WebAssembly", () => {
    expect(contentSecurityPolicy("/index.html", { nodePort: 4000, others: [] })).toContain("script-src 'self';");
    expect(contentSecurityPolicy("/assets/keyring-worker-aB3_-x.js", { nodePort: 4000, others: [] })).toContain(
      "script-src 'self' 'wasm-unsafe-eval';",
    );
    expect(contentSecurityPolicy("/assets/keyring-worker-a.js/../index.js", { nodePort: 4000, others: [] })).toContain(
      "script-src 'self';",
    );
  });

  it("connects to the node's own port alone", () => {
    expect(contentSecurityPolicy("/", { nodePort: 4123, others: [] })).toContain("connect-src 'self' ws://127.0.0.1:4123;");
  });
});
