// Electron's own security checklist, item by item, by its numbers. What the options and sources show is checked here; what needs a page
// is checked in test/electron, and what needs the binary is said in docs/desktop.md.
import { EventEmitter } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { WebContents } from "electron";
import { describe, expect, it } from "vitest";
import { packagingConfiguration } from "#build/electron-builder.ts";
import { ROOT } from "#build/scripts/process.ts";
import { contentSecurityPolicy } from "#electron/main/security/content-security-policy.ts";
import { isPermissionAllowed } from "#electron/main/security/permissions.ts";
import { isExternalUrl } from "#electron/main/security/trusted-url.ts";
import { confineNavigation, windowOptions } from "#electron/main/windows/create-window.ts";

const { webPreferences = {} } = windowOptions("/app/preload.cjs");
const SOURCES = readdirSync(join(ROOT, "electron"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ name, text: readFileSync(join(ROOT, "electron", name), "utf8") }));

/** Files whose text matches. */
function filesWith(pattern: RegExp): readonly string[] {
  return SOURCES.filter(({ text }) => pattern.test(text)).map(({ name }) => name.replaceAll("\\", "/"));
}

class FakeContents extends EventEmitter {
  openHandler: ((details: { readonly url: string }) => { readonly action: string }) | undefined;
  setWindowOpenHandler(handler: FakeContents["openHandler"]): void {
    this.openHandler = handler;
  }
  /** True when the listener refuses. */
  refuses(event: string, url = ""): boolean {
    let isPrevented = false;
    this.emit(event, {
      url,
      preventDefault: (): void => {
        isPrevented = true;
      },
    });
    return isPrevented;
  }
}

function confined(): { readonly contents: FakeContents; readonly externals: string[] } {
  const contents = new FakeContents();
  const externals: string[] = [];
  confineNavigation(contents as unknown as WebContents, (url) => void externals.push(url));
  return { contents, externals };
}

describe("Electron's security checklist", () => {
  it("1: only secure content is loaded: one address, of the app itself", () => {
    expect(filesWith(/\.loadURL\(|\.loadFile\(/)).toEqual(["main/windows/create-window.ts"]);
    expect(SOURCES.find(({ name }) => name.endsWith("create-window.ts"))?.text).toMatch(/loadURL\(`\$\{APP_ORIGIN\}/);
  });

  it("2: no Node in pages", () => {
    expect(webPreferences).toMatchObject({ nodeIntegration: false, nodeIntegrationInWorker: false });
    expect(webPreferences.nodeIntegrationInSubFrames).toBeUndefined();
  });

  it("3, 4: pages are isolated and sandboxed, and nothing is started before the sandbox", () => {
    expect(webPreferences).toMatchObject({ contextIsolation: true, sandbox: true });
    expect(SOURCES.find(({ name }) => name === join("main", "index.ts"))?.text).toContain("app.enableSandbox()");
  });

  it("5: permissions are denied unless listed", () => {
    for (const permission of [
      "media",
      "geolocation",
      "notifications",
      "midiSysex",
      "pointerLock",
      "openExternal",
      "display-capture",
      "unknown",
    ])
      expect(isPermissionAllowed(permission, "app://parley/")).toBe(false);
    for (const types of [["audio"], ["video"], ["audio", "video"]]) {
      expect(isPermissionAllowed("media", "app://parley/", types)).toBe(true);
      expect(isPermissionAllowed("media", "https://example.org/", types)).toBe(false);
    }
    for (const types of [["unknown"], ["audio", "unknown"], []]) expect(isPermissionAllowed("media", "app://parley/", types)).toBe(false);
    expect(filesWith(/setPermissionRequestHandler/)).toEqual(filesWith(/setPermissionCheckHandler/));
    expect(filesWith(/setPermissionRequestHandler/)).toEqual(["main/install-security.ts"]);
  });

  it("6, 8, 9, 10: no protection of the browser is switched off, no experiment on", () => {
    expect(webPreferences.webSecurity).toBe(true);
    for (const name of ["allowRunningInsecureContent", "experimentalFeatures", "enableBlinkFeatures"] as const)
      expect(webPreferences[name]).toBeUndefined();
    expect(filesWith(/commandLine\.appendSwitch|disable-web-security|certificate-error/)).toEqual([]);
  });

  it("7: a policy that begins with nothing, without inline code, with trusted types", () => {
    const policy = contentSecurityPolicy("/index.html", { nodePort: 4000, others: [] });
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*|https?:/);
  });

  it("11, 12: there are no web views", () => {
    expect(webPreferences.webviewTag).toBe(false);
    expect(confined().contents.refuses("will-attach-webview")).toBe(true);
  });

  it("13: navigation stays inside the interface", () => {
    const { contents } = confined();
    for (const event of ["will-navigate", "will-frame-navigate", "will-redirect"]) {
      expect(contents.refuses(event, "app://parley/wallet")).toBe(false);
      for (const url of ["https://example.org/", "file:///etc/passwd", "app://other/", "javascript:alert(1)"])
        expect(contents.refuses(event, url)).toBe(true);
    }
  });

  it("14: no page opens a window", () => {
    const { contents, externals } = confined();
    expect(contents.openHandler?.({ url: "https://example.org/" })).toEqual({ action: "deny" });
    expect(externals).toEqual(["https://example.org/"]);
    expect(filesWith(/new (?:BrowserWindow|Window)\(/)).toEqual(["main/windows/create-window.ts"]);
  });

  it("15: only https addresses leave, and only after a question", () => {
    expect(filesWith(/shell\.openExternal/)).toEqual(["main/install-security.ts"]);
    for (const url of ["file:///etc/passwd", "javascript:alert(1)", "smb://host/share", "ms-msdt:/id", "http://example.org/"])
      expect(isExternalUrl(url)).toBe(false);
  });

  it("16: Electron is pinned exactly", () => {
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { devDependencies: Record<string, string> };
    expect(devDependencies.electron).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it("17: calls arrive in one place, which looks at their sender", () => {
    expect(filesWith(/\bipcMain\b/)).toEqual(["main/ipc/install-calls.ts"]);
    expect(filesWith(/ipcMain\.(?:on|handle|once)/)).toEqual([]);
    expect(filesWith(/isTrustedFrame\(event\.senderFrame\)/)).toEqual(["main/ipc/call-router.ts"]);
  });

  it("18: pages come from a scheme of the app, not from files", () => {
    expect(filesWith(/["'`]file:\/\//)).toEqual([]);
    expect(packagingConfiguration({ commit: "", sourceDateEpoch: 0 }).electronFuses?.grantFileProtocolExtraPrivileges).toBe(false);
  });

  it("19: fuses that would open the app are off", () => {
    expect(packagingConfiguration({ commit: "", sourceDateEpoch: 0 }).electronFuses).toMatchObject({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      onlyLoadAppFromAsar: true,
    });
  });

  it("20: the preload script exposes functions of its own, never those of Electron", () => {
    const preload = SOURCES.find(({ name }) => name === join("preload", "preload.ts"))?.text ?? "";
    expect(preload.match(/exposeInMainWorld/g)).toHaveLength(1);
    expect(preload).not.toMatch(/exposeInMainWorld\([^)]*ipcRenderer/);
    expect(preload).not.toMatch(/ipcRenderer\.(?:send|sendSync|postMessage|sendToHost)/);
  });
});
