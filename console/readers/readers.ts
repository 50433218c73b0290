import type { Ledger } from '../parts/reader.ts';
import { createReader, type LedgerReader } from './reader.ts';
import type { ReaderPorts } from './transport.ts';

/** The three readers. */
export interface Readers {
  /** The base ledger, where no token exists. */
  readonly base: LedgerReader;
  /** The same for what the page does itself, as with the faucet: it outlives a switch of viewpoints. */
  readonly acting: LedgerReader;
  /** The rollup, without a token. */
  readonly anybody: LedgerReader;
  /** The rollup with the token of a wallet; null where the wallet is not logged in. */
  owner(wallet: string): LedgerReader | null;
  /** Has every reader of a ledger ask anew. */
  stale(ledger: Ledger): void;
  /** Forgets every answer of every reader: what happens when the viewpoint changes. */
  forget(): void;
}

/** @param tokenOf the token of a wallet, as it is now; null where it is not logged in. */
export function createReaders(ports: ReaderPorts, tokenOf: (wallet: string) => string | null): Readers {
  const none = (): null => null;
  const base = createReader({ name: 'base', ledger: 'base', wallet: null, token: none }, ports);
  const acting = createReader({ name: 'base', ledger: 'base', wallet: null, token: none }, ports);
  const anybody = createReader({ name: 'anybody', ledger: 'rollup', wallet: null, token: none }, ports);
  const owners = new Map<string, LedgerReader>();
  const all = (): readonly LedgerReader[] => [base, anybody, ...owners.values()];
  return {
    base,
    acting,
    anybody,
    owner: (wallet) => {
      if (tokenOf(wallet) === null) return null;
      let reader = owners.get(wallet);
      if (reader === undefined) {
        const token = (): string | null => tokenOf(wallet);
        reader = createReader({ name: 'owner', ledger: 'rollup', wallet, token }, ports);
        owners.set(wallet, reader);
      }
      return reader;
    },
    stale: (ledger) => {
      for (const reader of all()) if (reader.ledger === ledger) reader.stale();
    },
    forget: () => {
      for (const reader of all()) reader.forget();
    },
  };
}
