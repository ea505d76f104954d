// Stands for the module `electron` where its binary is not: the parts that the shell imports, typed by Electron's own definitions.
// biome-ignore lint/performance/noBarrelFile: it takes the place of a module that has all of them
export { app } from "./app.ts";
export { protocol } from "./browser.ts";
export { BrowserWindow } from "./browser-window.ts";
export { dialog, Menu, Notification, nativeImage, net, powerMonitor, screen, session, shell, Tray } from "./desktop-parts.ts";
export { ipcMain } from "./ipc-main.ts";
export { MessageChannelMain } from "./message-channel.ts";
export { safeStorage } from "./safe-storage.ts";
export { utilityProcess } from "./utility-process.ts";
