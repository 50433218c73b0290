import type { AccountEntry, Genesis } from '../ledger/genesis/genesis.ts';
import { emptyProgram } from '../ledger/genesis/empty-program.ts';
import { programAccounts } from '../ledger/genesis/program-accounts.ts';
import { MAGIC_PROGRAM } from '../programs/addresses.ts';
import { emptyBooks } from './books/entries.ts';

/** Made once: an engine that is kept for the next rollup knows by the objects that it has compiled them. */
let magicProgram: readonly AccountEntry[] | undefined;

/**
 * What a rollup begins with besides what is on base: empty books, and at the Magic program's address a
 * program that takes every call and does nothing. What a call means is seen from the outside, after the run;
 * what is shown of the program is in `magicAccounts`.
 *
 * @param baseGenesisHash asked for whenever the rollup begins anew.
 */
export function rollupGenesis(baseGenesisHash: () => string): Genesis {
  return {
    accounts: () => [
      ...(magicProgram ??= programAccounts(MAGIC_PROGRAM, emptyProgram())),
      ...emptyBooks(baseGenesisHash()),
    ],
  };
}
