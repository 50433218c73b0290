import type { AccountEntry } from '../ledger/genesis/genesis.ts';
import { EPHEMERAL_VAULT, MAGIC_CONTEXT, MAGIC_PROGRAM, NATIVE_LOADER } from '../programs/addresses.ts';
import { RENT_EXEMPT_EPOCH, type Account } from '../solana/account.ts';
import { rentExemptMinimum } from '../solana/rent.ts';

/** Bytes of the Magic context (magicblock-validator 0.14.10, `MAGIC_CONTEXT_SIZE`). */
const CONTEXT_BYTES = 5 * 1024 * 1024;

/**
 * The name the validator registers the Magic program under, which is the data of a builtin's account
 * (`BUILTINS`).
 */
const PROGRAM_NAME = 'magicblock_program';

/** Made once: it is large. */
let context: Account | undefined;

/**
 * The accounts of the Magic program as MagicBlock's validator shows them: a program of the runtime, its
 * context and the vault of ephemeral accounts. They are the same on every rollup, are kept nowhere and never
 * change. The context is all zeros: whoever asked for what stands in the rollup's own books.
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
    [MAGIC_CONTEXT, (context ??= ownAccount(CONTEXT_BYTES))],
    [EPHEMERAL_VAULT, ownAccount(0)],
  ];
}

function ownAccount(bytes: number): Account {
  return {
    lamports: rentExemptMinimum(bytes),
    owner: MAGIC_PROGRAM,
    data: new Uint8Array(bytes),
    executable: false,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
}
