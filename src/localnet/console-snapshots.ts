import type { ShownSnapshot, SnapshotList } from '../console/answers.ts';
import type { Snapshots } from '../console/snapshots.ts';
import { failureFields } from '../errors/failure-fields.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import type { Logger } from '../ports/logger.ts';
import type { EmbeddedRollup } from '../rollup/rollup.ts';
import type { MemoryStores } from '../stack/ledger-home.ts';
import type { LocalnetSnapshot } from './snapshot.ts';

/** The ledgers of a localnet. */
export interface LocalLedgers {
  readonly base: EmbeddedLedger;
  readonly rollup: EmbeddedRollup;
}

/** Copies both ledgers at their current slots. */
export function copyStores(stores: MemoryStores, { base, rollup }: LocalLedgers): MemoryStores {
  return { base: stores.base.copyAt(base.head().slot), rollup: stores.rollup.copyAt(rollup.head().slot) };
}

/** Maximum number of snapshots. Each contains lists of all accounts and records. */
const SNAPSHOTS_MAX = 8;

interface SnapshotSource {
  snapshot(): Promise<LocalnetSnapshot>;
  reset(snapshot: LocalnetSnapshot): Promise<void>;
  /** Returns the current time in Unix ms and the current slot of base. */
  present(): { readonly atMs: number; readonly slot: number };
  readonly logger: Logger;
}

/** The snapshots of the console. They survive resets, but not the end of the localnet. */
export class ConsoleSnapshots implements Snapshots {
  readonly #source: SnapshotSource;
  readonly #snapshots = new Map<number, readonly [ShownSnapshot, LocalnetSnapshot]>();
  #taken = 0;
  #returned = 0;

  constructor(source: SnapshotSource) {
    this.#source = source;
  }

  get returned(): number {
    return this.#returned;
  }

  list(): SnapshotList {
    return { snapshots: [...this.#snapshots.values()].map(([shown]) => shown), returned: this.#returned };
  }

  async take(): Promise<ShownSnapshot> {
    const snapshot = await this.#source.snapshot();
    const { atMs, slot } = this.#source.present();
    const shown = { id: ++this.#taken, atMs, slot };
    this.#snapshots.set(shown.id, [shown, snapshot]);
    for (const id of this.#snapshots.keys())
      if (this.#snapshots.size > SNAPSHOTS_MAX) this.#snapshots.delete(id);
    return shown;
  }

  startReturn(id: number): void {
    const entry = this.#snapshots.get(id);
    if (entry === undefined) {
      throw new ServiceError(
        'INVALID_ARGUMENTS',
        `Snapshot ${id} does not exist. Only the last ${SNAPSHOTS_MAX} snapshots are kept`,
        {
          field: 'id',
        },
      );
    }
    // The restore closes the stack, so the response to this request must be sent first.
    setImmediate(() => void this.#return(entry[1]));
  }

  async #return(snapshot: LocalnetSnapshot): Promise<void> {
    try {
      await this.#source.reset(snapshot);
      this.#returned += 1;
    } catch (error) {
      this.#source.logger.error(failureFields(error), 'restoring a snapshot failed');
    }
  }
}
