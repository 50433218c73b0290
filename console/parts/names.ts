import { signal, type ReadonlySignal } from './signal.ts';

/** A mint as the service's own table has it. */
interface KnownMint {
  /** Null if the service knows none: a symbol that anyone may have chosen is not shown. */
  readonly symbol: string | null;
  readonly decimals: number;
}

/** What addresses are called, and what is known of mints. */
export interface Known {
  /** Names known to this browser: its wallets, and the service's programs and vaults. */
  readonly names: ReadonlyMap<string, string>;
  /** Wallets of this tab by their token accounts and eATAs. */
  readonly owners: ReadonlyMap<string, string>;
  /** The mints of the service's table, by address. */
  readonly mints: ReadonlyMap<string, KnownMint>;
}

let known: ReadonlySignal<Known> = signal({
  names: new Map(),
  owners: new Map(),
  mints: new Map(),
});

/** Says where names and mints come from, before the page is drawn. */
export function setKnown(source: ReadonlySignal<Known>): void {
  known = source;
}

/** Names and mints as they are now. What calls it while it is drawn is drawn again when they change. */
export const useKnown = (): Known => known.value;
