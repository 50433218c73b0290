import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { delegatedValidator } from '../../programs/delegation/state.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import { decodeEata, type Eata } from '../../programs/ephemeral-token/state.ts';
import { isTokenProgram } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { deriveProjection, type Projection } from './projection.ts';

/** An account by its address; undefined where there is none. */
export type Lookup = (address: Address) => Account | undefined;

/** An eATA that base says is delegated to a validator. */
interface DelegatedEata {
  readonly projection: Projection;
  readonly eata: Eata;
  readonly account: Account;
  readonly record: Account;
}

/**
 * The eATA at an address when it is delegated to `validator`, and its mint is one of a token program; null
 * otherwise.
 */
export function readDelegatedEata(
  address: Address,
  lookup: Lookup,
  validator: Address,
): DelegatedEata | null {
  const account = lookup(address);
  if (account?.owner !== DELEGATION_PROGRAM) return null;
  const eata = decodeEata(account.data);
  if (eata === null || deriveEata(eata.owner, eata.mint).address !== address) return null;
  const tokenProgram = lookup(eata.mint)?.owner;
  if (!isTokenProgram(tokenProgram)) return null;
  const projection = deriveProjection(address, eata, tokenProgram);
  const record = lookup(projection.record);
  if (record === undefined) return null;
  if (delegatedValidator(record, EPHEMERAL_TOKEN_PROGRAM) !== validator) return null;
  return { projection, eata, account, record };
}
