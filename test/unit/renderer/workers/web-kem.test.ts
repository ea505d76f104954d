// WebCrypto's X25519 and ML-KEM, here by Node, which has both.
import { expect, test } from "vitest";
import { webKem } from "#renderer/workers/web-kem.ts";
import { scriptKem } from "#shared/protocol/pairs/script-kem.ts";

const key = (fill: number, length = 32): Uint8Array => new Uint8Array(length).fill(fill);

test("agrees as the script does, with several keys at once, and says zeros for one of small order", async () => {
  const late = await webKem();
  const others = [key(5), key(6)].map((secret) => scriptKem.x25519PublicKey(secret));
  const secrets = await late?.x25519(key(3), [...others, key(0)]);
  expect(secrets).toEqual([...others.map((other) => scriptKem.x25519(key(3), other)), key(0)]);
});

test("opens what the script sealed, and seals what the script opens", async () => {
  const { mlKem } = (await webKem()) ?? {};
  const seed = key(7, 64);
  const publicKey = scriptKem.mlKemPublicKey(seed);
  const here = [scriptKem.mlKemEncapsulate(publicKey), scriptKem.mlKemEncapsulate(publicKey)];
  const opened = await mlKem?.decapsulate(
    seed,
    here.map(({ ciphertext }) => ciphertext),
  );
  expect(opened).toEqual(here.map(({ secret }) => secret));
  const sealed = await mlKem?.encapsulate(publicKey);
  expect(scriptKem.mlKemDecapsulate(seed, sealed?.ciphertext ?? key(0))).toEqual(sealed?.secret);
});
