import type { LedgerReads } from '../../ledger/ledger.ts';

/** The length of a sample, seconds (Agave `SAMPLE_INTERVAL`). */
export const SAMPLE_PERIOD_SECONDS = 60;

/** Number of samples stored; no method returns more (Agave `PERFORMANCE_SAMPLES_LIMIT`). */
export const SAMPLES_MAX = 720;

/** Most slots examined per answer. With very short slots fewer samples are returned. */
const SLOTS_READ_MAX = 500_000;

/** The activity of one minute. */
interface PerformanceSample {
  /** The last slot of the sample that has a block. */
  readonly slot: number;
  readonly slotCount: number;
  readonly transactionCount: number;
}

/**
 * Counts transactions per minute from its creation on. A minute is the number of slots that fit into it.
 * Earlier minutes are not counted, because that would require reading the whole history.
 */
export class PerformanceSampler {
  readonly #ledger: LedgerReads;
  readonly #landedByMinute = new Map<number, number>();
  #genesisHash: string;
  /** Transactions of the current slot may have been missed. */
  #firstWholeSlot: number;

  constructor(ledger: LedgerReads) {
    this.#ledger = ledger;
    this.#genesisHash = ledger.genesisHash;
    this.#firstWholeSlot = ledger.head().slot + 1;
    ledger.subscribe((event) => {
      if (event.kind === 'transaction') this.#count(event.slot);
    });
  }

  /** The finished minutes that were counted completely, newest first, out of the last `limit` ones. */
  samples(limit: number): readonly PerformanceSample[] {
    this.#beginAgainAfterReset();
    const slotsPerSample = this.#slotsPerSample();
    const newest = Math.floor((this.#ledger.head().slot + 1) / slotsPerSample) - 1;
    const depth = Math.min(limit, Math.max(1, Math.floor(SLOTS_READ_MAX / slotsPerSample)));
    const oldest = Math.max(Math.ceil(this.#firstWholeSlot / slotsPerSample), newest - depth + 1);
    const samples: PerformanceSample[] = [];
    for (let minute = newest; minute >= oldest; minute--) {
      const first = minute * slotsPerSample;
      const slots = this.#ledger.slotsWithBlocks(first, first + slotsPerSample - 1, slotsPerSample);
      const slot = slots.at(-1);
      if (slot === undefined) continue;
      const transactionCount = this.#landedByMinute.get(minute) ?? 0;
      samples.push({ slot, slotCount: slots.length, transactionCount });
    }
    return samples;
  }

  #count(slot: number): void {
    this.#beginAgainAfterReset();
    const minute = Math.floor(slot / this.#slotsPerSample());
    const landed = this.#landedByMinute.get(minute);
    this.#landedByMinute.set(minute, (landed ?? 0) + 1);
    if (landed === undefined) this.#forgetBefore(minute - SAMPLES_MAX);
  }

  #forgetBefore(oldest: number): void {
    for (const minute of this.#landedByMinute.keys()) {
      if (minute < oldest) this.#landedByMinute.delete(minute);
    }
  }

  /** A ledger that was reset has another genesis hash. */
  #beginAgainAfterReset(): void {
    if (this.#ledger.genesisHash === this.#genesisHash) return;
    this.#genesisHash = this.#ledger.genesisHash;
    this.#firstWholeSlot = this.#ledger.head().slot + 1;
    this.#landedByMinute.clear();
  }

  #slotsPerSample(): number {
    return Math.max(1, Math.round((SAMPLE_PERIOD_SECONDS * 1_000) / this.#ledger.slotMs));
  }
}
