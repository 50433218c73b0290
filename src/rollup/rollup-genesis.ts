import { type AccountEntry, emptyProgram, type Genesis } from '../ledger/genesis/genesis.ts';
import { programAccounts } from '../ledger/genesis/program-accounts.ts';
import { EPHEMERAL_VAULT, MAGIC_CONTEXT, MAGIC_PROGRAM, NATIVE_LOADER } from '../programs/addresses.ts';
import { type Account, RENT_EXEMPT_EPOCH, rentExemptMinimum } from '../solana/account.ts';
import { emptyBooks } from './books/books.ts';

/**
 * Returns the accounts of a new rollup in addition to base's accounts: empty books, and a placeholder at the
 * Magic program's address. The placeholder accepts every call and does nothing; the rollup interprets the
 * calls after the run. RPC clients see {@link magicAccounts} instead.
 *
 * @param baseGenesisHash called at every start from genesis.
 */
export function rollupGenesis(baseGenesisHash: () => string): Genesis {
  return {
    accounts: () => [...programAccounts(MAGIC_PROGRAM, emptyProgram()), ...emptyBooks(baseGenesisHash())],
  };
}

/** The data of the Magic program's account: the name under which MagicBlock registers it (`BUILTINS`). */
const PROGRAM_NAME = 'magicblock_program';

/**
 * Returns the accounts of the Magic program as MagicBlock's validator shows them: a runtime program, its
 * context and the vault of ephemeral accounts. They are the same on every rollup, are not stored and never
 * change. The context is empty, because this rollup stores requests in its own books.
 */
export function magicAccounts(): readonly AccountEntry[] {
  const program = {
    lamports: 1n,
    owner: NATIVE_LOADER,
    data: Buffer.from(PROGRAM_NAME),
    executable: true,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
  return [
    [MAGIC_PROGRAM, program],
    [MAGIC_CONTEXT, ownAccount()],
    [EPHEMERAL_VAULT, ownAccount()],
  ];
}

function ownAccount(): Account {
  return {
    lamports: rentExemptMinimum(0),
    owner: MAGIC_PROGRAM,
    data: new Uint8Array(0),
    executable: false,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
}

/** Maximum blockhash age in blocks: one minute, as in MagicBlock's getLatestBlockhash. */
export const ROLLUP_BLOCKHASH_AGE_MAX = 1_200;
