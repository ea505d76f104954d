// The bell of a call, made of two tones: no file is loaded for it. Where the browser lets nothing sound yet, it stays silent.

/** A bell that rings until it is stopped. */
export interface RingTone {
  stop(): void;
}

/** Hertz of the two tones, seconds of sound and of a whole turn, and how loud. */
const TONES = {
  /** Someone calls. */
  incoming: { hertz: [523, 659], soundS: 1.2, turnS: 3, volume: 0.12 },
  /** It rings at the other side. */
  outgoing: { hertz: [425, 425], soundS: 1, turnS: 4, volume: 0.04 },
} as const;
/** Longer than any call rings. */
const TURNS = 30;

export function startRingTone(kind: keyof typeof TONES): RingTone {
  const { hertz, soundS, turnS, volume } = TONES[kind];
  const context = new AudioContext();
  const gain = context.createGain();
  gain.gain.value = 0;
  gain.connect(context.destination);
  for (const frequency of hertz) {
    const tone = context.createOscillator();
    tone.frequency.value = frequency;
    tone.connect(gain);
    tone.start();
  }
  const startS = context.currentTime + 0.05;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const atS = startS + turn * turnS;
    gain.gain.setTargetAtTime(volume, atS, 0.02);
    gain.gain.setTargetAtTime(0, atS + soundS, 0.05);
  }
  return { stop: (): void => void context.close().catch(() => undefined) };
}
