import { createContext } from 'preact';

/** Names that this browser knows for addresses: its wallets, and the programs and vaults that the service tells of. */
export const Names = createContext<ReadonlyMap<string, string>>(new Map());

/** A mint as the service's own table has it. */
export interface KnownMint {
  /** Null where the service knows none: a symbol that anybody may have chosen is not shown. */
  readonly symbol: string | null;
  readonly decimals: number;
}

/** The mints of the service's table, by address. */
export const Mints = createContext<ReadonlyMap<string, KnownMint>>(new Map());
