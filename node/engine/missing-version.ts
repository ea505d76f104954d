// What a node says that lacks a version of the rules.
import type { Height } from "#shared/protocol/chain/header.ts";

/** Why a node has stopped below a height. */
export function missingVersionWords(version: number, height: Height): string {
  return `From block ${height} on the network has version ${version} of its rules, which this program lacks: install a release that has it, then start the node again. It continues from here, and nothing is lost`;
}
