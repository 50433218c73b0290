import { failureFields } from '../errors/failure-fields.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { ShownSnapshot, SnapshotList } from '../console/answers.ts';
import type { Snapshots } from '../console/snapshots.ts';
import type { Logger } from '../ports/logger.ts';
import type { LocalnetSnapshot } from './snapshot.ts';

/** Snapshots that are kept: each has the lists of all accounts and records, though not their contents. */
const KEPT_MAX = 8;

/** What the snapshots are of. */
interface SnapshotSource {
  snapshot(): Promise<LocalnetSnapshot>;
  reset(snapshot: LocalnetSnapshot): Promise<void>;
  /** Unix ms, and the slot that base is at. */
  present(): { readonly atMs: number; readonly slot: number };
  readonly logger: Logger;
}

/** The snapshots that the page of a localnet takes. They outlive each return, and end with the localnet. */
export class KeptSnapshots implements Snapshots {
  readonly #source: SnapshotSource;
  readonly #kept = new Map<number, readonly [ShownSnapshot, LocalnetSnapshot]>();
  #taken = 0;
  #returned = 0;

  constructor(source: SnapshotSource) {
    this.#source = source;
  }

  get returned(): number {
    return this.#returned;
  }

  list(): SnapshotList {
    return { snapshots: [...this.#kept.values()].map(([shown]) => shown), returned: this.#returned };
  }

  async take(): Promise<ShownSnapshot> {
    const snapshot = await this.#source.snapshot();
    const { atMs, slot } = this.#source.present();
    const shown = { id: ++this.#taken, atMs, slot };
    this.#kept.set(shown.id, [shown, snapshot]);
    for (const id of this.#kept.keys()) if (this.#kept.size > KEPT_MAX) this.#kept.delete(id);
    return shown;
  }

  startReturn(id: number): void {
    const kept = this.#kept.get(id);
    if (kept === undefined) {
      throw new ServiceError(
        'INVALID_ARGUMENTS',
        `There is no snapshot ${id}: the last ${KEPT_MAX} are kept`,
        {
          field: 'id',
        },
      );
    }
    // The stack that is closed for it has to have answered.
    setImmediate(() => void this.#return(kept[1]));
  }

  async #return(snapshot: LocalnetSnapshot): Promise<void> {
    try {
      await this.#source.reset(snapshot);
      this.#returned += 1;
    } catch (error) {
      this.#source.logger.error(failureFields(error), 'returning to a snapshot failed');
    }
  }
}
