// How the desktop app is packed. The bundles of dist/ carry all code; of node_modules only what is native goes along: SQLite and libsodium.
import type { Configuration } from "electron-builder";

/** Scheme of links that open the app. */
const LINK_SCHEME = "parley";

/** What the surroundings of a build decide. */
export interface PackagingInput {
  /** Commit time of the sources, seconds since 1970: packages of the same commit carry the same times. */
  readonly sourceDateEpoch: number;
  readonly commit: string;
  /** Address of the update feed and the key that signs releases, in hex; without them the app never looks for updates. */
  readonly releases?: { readonly feed: string; readonly key: string };
  /** Identity of the macOS signature; without one the package is not signed. */
  readonly macIdentity?: string;
  /** Whether the credentials of Apple's notary service are there. */
  readonly isNotarised?: boolean;
}

/** Configuration of electron-builder. Windows signatures follow from the certificate that its own variables name. */
export function packagingConfiguration(input: PackagingInput): Configuration {
  const { commit, sourceDateEpoch, releases } = input;
  return {
    appId: "org.parley.desktop",
    productName: "Parley",
    copyright: "The Parley authors",
    directories: { output: "dist/packages", buildResources: "build/icons" },
    extraMetadata: { main: "dist/electron/main.mjs", parley: { commit, sourceDateEpoch, ...(releases === undefined ? {} : { releases }) } },
    files: [
      "dist/{electron,preload,keyring,gateway,node,renderer,icons}/**",
      // Notices of the packages that are in the bundles.
      "dist/THIRD-PARTY.txt",
      "!**/*.map",
      "package.json",
      "!node_modules/**",
      "node_modules/better-sqlite3/{package.json,LICENSE,lib/**,prebuilds/**}",
      "node_modules/sodium-native/{package.json,LICENSE,prebuilds/{linux,darwin,win32}-*/*.node}",
    ],
    asar: true,
    asarUnpack: ["**/*.node"],
    // Both bring Node-API binaries for every platform: nothing is compiled.
    npmRebuild: false,
    electronFuses: {
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
    },
    protocols: { name: "Parley", schemes: [LINK_SCHEME] },
    publish: releases === undefined ? null : { provider: "generic", url: releases.feed, useMultipleRangeRequest: true },
    linux: {
      target: [
        { target: "AppImage", arch: ["x64", "arm64"] },
        { target: "deb", arch: ["x64", "arm64"] },
      ],
      category: "Network",
      icon: "icon.png",
      executableName: "parley-desktop",
    },
    mac: {
      target: [
        { target: "dmg", arch: "universal" },
        { target: "zip", arch: "universal" },
      ],
      category: "public.app-category.finance",
      icon: "icon.png",
      extendInfo: {
        NSMicrophoneUsageDescription: "Parley records voice messages that you send, and sends your voice in calls.",
        NSCameraUsageDescription: "Parley sends your picture in video calls, and reads codes that you show it.",
      },
      hardenedRuntime: true,
      entitlements: "build/entitlements/mac.plist",
      entitlementsInherit: "build/entitlements/mac.plist",
      identity: input.macIdentity ?? null,
      notarize: input.isNotarised === true,
      // Native parts name their processor and lie side by side in both halves: there is nothing to join.
      x64ArchFiles: "**/prebuilds/**/*.node",
    },
    win: { target: [{ target: "nsis", arch: ["x64", "arm64"] }], icon: "icon.png" },
    nsis: { oneClick: false, perMachine: false, allowToChangeInstallationDirectory: true, differentialPackage: true },
  };
}
