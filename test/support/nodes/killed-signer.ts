// A signer's memory that is killed in the middle of a signature: after it is on the disk and before anyone sees it.
// Arguments: file, seed, chain, block hash, "kill" or "answer". Prints the signature, or the refusal.
import { createValidatorSigner } from "#node/crypto/validator-signer.ts";
import { openReplaceableFile, type ReplaceableFile } from "#node/engine/log/engine-storage.ts";
import { SignerMemory } from "#node/signer/memory/signer-memory.ts";
import { voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";

const [path = "", seed = "", chainId = "", hash = "", way = ""] = process.argv.slice(2);
const HEIGHT = 12;

const file = openReplaceableFile(path);
const killing: ReplaceableFile = {
  read: () => file.read(),
  replace(bytes): void {
    file.replace(bytes);
    if (way === "kill") process.kill(process.pid, "SIGKILL");
  },
};
const memory = new SignerMemory(killing, chainId, createValidatorSigner(fromHex(seed)));
const signBytes = voteSignBytes(chainId, { type: "precommit", height: HEIGHT, round: 0, blockHash: hash });
const outcome = memory.sign("ab".repeat(32), { position: { height: HEIGHT, round: 0, step: "precommit" }, blockHash: hash, signBytes });
process.stdout.write("signature" in outcome ? toHex(outcome.signature) : `refused: ${outcome.refusal}`);
