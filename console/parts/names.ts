import { createContext } from 'preact';
import { PROGRAMS } from './programs.ts';

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

/** Programs that are the same on every cluster of Solana. */
const EVERYWHERE: Readonly<Record<string, string>> = {
  [PROGRAMS.system]: 'System',
  [PROGRAMS.computeBudget]: 'Compute Budget',
  BPFLoaderUpgradeab1e11111111111111111111111: 'Upgradeable loader',
  BPFLoader2111111111111111111111111111111111: 'Loader',
  NativeLoader1111111111111111111111111111111: 'Native loader',
  AddressLookupTab1e1111111111111111111111111: 'Address Lookup Table',
  Sysvar1111111111111111111111111111111111111: 'Sysvar',
};

/** The name of an address: this browser's own, or that of a program which every cluster has. */
export const nameOf = (names: ReadonlyMap<string, string>, address: string): string | undefined =>
  names.get(address) ?? EVERYWHERE[address];
