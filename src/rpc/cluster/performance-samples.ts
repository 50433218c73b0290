import type { LedgerReads } from '../../ledger/ledger.ts';

/** The length of a sample, in seconds (Agave `SAMPLE_INTERVAL`). */
export const SAMPLE_PERIOD_SECONDS = 60;

/** Maximum number of samples stored and returned (Agave `PERFORMANCE_SAMPLES_LIMIT`). */
export const SAMPLES_MAX = 720;

/** Maximum number of slots examined per answer. Very short slots result in fewer samples. */
const SLOTS_READ_MAX = 500_000;

/** The activity of one minute. */
interface PerformanceSample {
  /** The last slot of the sample that has a block. */
  readonly slot: number;
  readonly slotCount: number;
  readonly transactionCount: number;
}

/**
 * Counts transactions per minute since its creation. A minute is counted as the slots in 60 seconds. Earlier
 * transactions are not counted, because that would require reading the whole history.
 */
export class PerformanceSampler {
  readonly #ledger: LedgerReads;
  readonly #landedByMinute = new Map<number, number>();
  #genesisHash: string;
  /** First completely counted slot. Earlier transactions may have been missed. */
  #firstWholeSlot: number;

  constructor(ledger: LedgerReads) {
    this.#ledger = ledger;
    this.#genesisHash = ledger.genesisHash;
    this.#firstWholeSlot = ledger.head().slot + 1;
    ledger.subscribe((event) => {
      if (event.kind === 'transaction') this.#count(event.slot);
    });
  }

  /** Returns the completely counted minutes among the last `limit` finished minutes, newest first. */
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

  /** Restarts the count after a reset of the ledger, which changes the genesis hash. */
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
