import { signal, type ReadonlySignal } from './signal.ts';

/** A mint in the service's table. */
interface KnownMint {
  /** The symbol; null if the service's table has none. Symbols from other sources are not trusted. */
  readonly symbol: string | null;
  readonly decimals: number;
}

/** Known names and mints. */
export interface Known {
  /** Names by address: wallets of this browser, and programs and vaults of the service. */
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

/** Sets the source of names and mints. Call it before the page is rendered. */
export function setKnown(source: ReadonlySignal<Known>): void {
  known = source;
}

/** The known names and mints. Components that call it while rendering are rendered again when they change. */
export const useKnown = (): Known => known.value;
