import type { Stream } from "@libp2p/interface";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FrameProgress, SPARE_PIECES, watchFrames } from "#node/network/libp2p/whole-frames.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { concatBytes } from "#shared/util/bytes.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";

/** A frame behind its length as a varint. */
function framed(length: number): Uint8Array {
  const head: number[] = [];
  let rest = length;
  for (; rest > 127; rest = Math.floor(rest / 128)) head.push((rest % 128) | 128);
  return concatBytes(Uint8Array.of(...head, rest), new Uint8Array(length).fill(0xff));
}

class SlowStream extends EventTarget {
  status = "open";
  bring(data: Uint8Array): void {
    this.dispatchEvent(Object.assign(new Event("message"), { data }));
  }
  abort(): void {
    this.status = "aborted";
    this.dispatchEvent(new Event("close"));
  }
}

function watched(): { readonly stream: SlowStream; readonly time: VirtualTime } {
  const [stream, time] = [new SlowStream(), new VirtualTime()];
  watchFrames(stream as unknown as Stream, time);
  return { stream, time };
}

describe("frames of gossip", () => {
  it("are followed however the stream is cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 9_000 })),
        (lengths, cuts) => {
          const bytes = concatBytes(...lengths.map(framed));
          const progress = new FrameProgress();
          let at = 0;
          for (const cut of [...cuts.slice(0, SPARE_PIECES - 1), bytes.length]) {
            expect(progress.take(bytes.subarray(at, at + cut))).toBe(true);
            at += cut;
          }
          expect([progress.isWhole, progress.frames]).toEqual([true, lengths.length]);
        },
      ),
      { seed: 7, numRuns: 200 },
    );
  });

  it("end their stream when they come in too many pieces, whatever length they announce", () => {
    for (const length of [100, 100_000, 4_194_304, 16_777_216]) {
      const { stream, time } = watched();
      const bytes = framed(length);
      let pieces = 0;
      for (; pieces < length && stream.status === "open"; pieces += 1) stream.bring(bytes.subarray(pieces, pieces + 1));
      expect(pieces).toBeLessThanOrEqual(SPARE_PIECES + length / 1_024 + 8);
      expect([stream.status, time.pending]).toEqual([pieces === length ? "open" : "aborted", pieces === length ? 1 : 0]);
    }
  });

  it("end their stream when they do not become whole in time, and no frame that does", () => {
    const { stream, time } = watched();
    for (let n = 0; n < 1_000; n += 1) {
      const bytes = framed(500);
      stream.bring(bytes.subarray(0, 300));
      time.advance(NETWORK_LIMITS.gossipFrameMs - 1);
      // The end of one and the beginning of the next.
      stream.bring(concatBytes(bytes.subarray(300), framed(20).subarray(0, 5)));
      time.advance(NETWORK_LIMITS.gossipFrameMs - 1);
      stream.bring(framed(20).subarray(5));
      expect([stream.status, time.pending]).toEqual(["open", 0]);
    }
    stream.bring(framed(500).subarray(0, 300));
    for (let n = 0; n < 20; n += 1) {
      time.advance(NETWORK_LIMITS.gossipFrameMs / 20);
      if (stream.status === "open") stream.bring(Uint8Array.of(1));
    }
    expect([stream.status, time.pending]).toEqual(["aborted", 0]);
  });

  it("with a length that is none end their stream", () => {
    const { stream } = watched();
    stream.bring(new Uint8Array(8).fill(0xff));
    expect(stream.status).toBe("aborted");
  });
});
