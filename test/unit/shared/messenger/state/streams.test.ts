import { describe, expect, it } from "vitest";
import type { StreamRecord } from "#shared/messenger/model/records.ts";
import { crowdedStreams, MAX_STREAMS, MAX_STREAMS_OF_DEVICE } from "#shared/messenger/state/streams.ts";

const [ANN, EVE] = ["aa".repeat(32), "ee".repeat(32)];

function chain(device: number, stream: number, fields: Partial<StreamRecord> = {}): StreamRecord {
  const name = (n: number, length: number): string => n.toString(16).padStart(length, "0");
  return { peer: ANN, device: name(device, 64), stream: name(stream, 16), upTo: 1, ahead: [], gap: null, seenAt: stream, ...fields };
}

const isKnown = (person: string): boolean => person === ANN;

describe("received sender chains", () => {
  it("are followed of people one knows alone", () => {
    const [known, strange] = [chain(1, 1), chain(2, 1, { peer: EVE })];
    expect(crowdedStreams([known, strange], isKnown)).toEqual([strange]);
  });

  it("make room for later ones of their device, of which earlier versions kept no time for the longest", () => {
    const chains = Array.from({ length: MAX_STREAMS_OF_DEVICE }, (_, at) => chain(1, at + 1));
    expect(crowdedStreams(chains, isKnown)).toEqual([]);
    const { seenAt: _, ...undated } = chain(1, 99);
    expect(crowdedStreams([...chains, undated, chain(2, 1)], isKnown)).toEqual([undated]);
    expect(crowdedStreams([...chains, chain(1, 50)], isKnown)).toEqual([chains[0]]);
    const old = Array.from({ length: MAX_STREAMS_OF_DEVICE + 1 }, (_, at) => ({ ...undated, stream: `${at}`, upTo: at }));
    expect(crowdedStreams(old, isKnown)).toEqual([old[0]]);
  });

  it("make room for those of other devices", () => {
    const chains = Array.from({ length: MAX_STREAMS + 1 }, (_, at) => chain(at, at + 1));
    expect(crowdedStreams(chains, isKnown)).toEqual([chains[0]]);
  });

  it("go with time where their device has a later one, the latest never", () => {
    const chains = [chain(1, 10), chain(1, 20), chain(1, 40), chain(2, 5)];
    expect(crowdedStreams(chains, isKnown, 30).map(({ seenAt }) => seenAt)).toEqual([20, 10]);
    expect(crowdedStreams(chains, isKnown)).toEqual([]);
  });
});
