import type { ShownSnapshot, SnapshotList } from '../answers.ts';

/** The snapshots of a localnet that the page takes, and brings it back to. */
export interface Snapshots {
  /** How often the localnet was brought back to one. */
  readonly returned: number;
  list(): SnapshotList;
  /**
   * Keeps both ledgers as they are, once nothing is left to settle.
   *
   * @throws {ServiceError} as the localnet's own snapshots do.
   */
  take(): Promise<ShownSnapshot>;
  /**
   * Has both ledgers brought back, after the call that asks for it is answered: everything that serves closes
   * for that.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS for one that is not kept.
   */
  startReturn(id: number): void;
}
