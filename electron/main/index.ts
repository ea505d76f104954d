// Composition root of the desktop shell: starts the node as its own process and shows the interface.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { app, BrowserWindow, dialog, net, protocol, session, shell, utilityProcess } from "electron";
import { nodeEnvironment } from "./environment.ts";
import { type HostedProcess, NodeHost } from "./node-host/node-host.ts";
import { APP_SCHEME, handleAppProtocol } from "./protocol/app-protocol.ts";
import { isPermissionAllowed } from "./security/permissions.ts";
import { APP_ORIGIN, isExternalUrl } from "./security/trusted-url.ts";
import { confineNavigation, createWindow } from "./windows/create-window.ts";

const here = dirname(fileURLToPath(import.meta.url));
const nodeEntry = join(here, "..", "node", "main.mjs");
const interfaceRoot = join(here, "..", "renderer");
const nodeArguments = process.argv.slice(app.isPackaged ? 1 : 2);

let nodePort = 0;

function startNode(): HostedProcess {
  const args = ["node", "--dev", "--stats-addr", "127.0.0.1:0", ...nodeArguments];
  const child = utilityProcess.fork(nodeEntry, args, {
    serviceName: "Parley node",
    stdio: "inherit",
    env: { ...nodeEnvironment(), SVC_ALLOWED_ORIGINS: APP_ORIGIN, SVC_DISABLE_UI: "true" },
  });
  return {
    onMessage: (listener) => void child.on("message", listener),
    onExit: (listener) => void child.on("exit", listener),
    postMessage: (message) => child.postMessage(message),
    kill: () => void child.kill(),
  };
}

async function openExternal(url: string): Promise<void> {
  if (!isExternalUrl(url)) return;
  const { response } = await dialog.showMessageBox({
    type: "question",
    message: "Open this address in your browser?",
    detail: url,
    buttons: ["Open", "Cancel"],
    defaultId: 1,
    cancelId: 1,
  });
  if (response === 0) await shell.openExternal(url);
}

function whenReady(): void {
  session.defaultSession.setPermissionRequestHandler((_, permission, allow, details) =>
    allow(isPermissionAllowed(permission, details.requestingUrl)),
  );
  session.defaultSession.setPermissionCheckHandler((_, permission, origin) => isPermissionAllowed(permission, `${origin}/`));
  handleAppProtocol(protocol, {
    root: interfaceRoot,
    nodePort: () => nodePort,
    fetch: (url, init) => net.fetch(url, { ...init, bypassCustomProtocolHandlers: true }),
  });
  host.start();
}

const host = new NodeHost({
  start: startNode,
  setTimer: (callback, delayMs): (() => void) => {
    const timer = setTimeout(callback, delayMs);
    return (): void => clearTimeout(timer);
  },
  onState: (state): void => {
    if (state.kind !== "ready") return;
    nodePort = state.port;
    const [window] = BrowserWindow.getAllWindows();
    if (window === undefined) createWindow(BrowserWindow);
    else window.webContents.reload();
  },
});

app.setName("Parley");
if (app.requestSingleInstanceLock()) {
  protocol.registerSchemesAsPrivileged([APP_SCHEME]);
  app.enableSandbox();
  app.on("web-contents-created", (_, contents) => confineNavigation(contents, (url) => void openExternal(url)));
  app.on("second-instance", () => BrowserWindow.getAllWindows()[0]?.focus());
  app.on("window-all-closed", () => app.quit());
  app.on("will-quit", (event) => {
    if (nodePort === 0) return;
    event.preventDefault();
    nodePort = 0;
    void host.stop().then(() => app.quit());
  });
  void app.whenReady().then(whenReady);
} else {
  app.quit();
}
