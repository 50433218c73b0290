import type { Address } from '../../solana/address.ts';
import type { Reading } from './reading.ts';

/** An account that an instruction of the transaction itself creates. */
export interface CreatedAccount {
  readonly payer: Address | null;
  /** Lamports it starts with. */
  readonly lamports: bigint;
  /** Bytes of data. */
  readonly space: bigint;
  /** The program it belongs to. */
  readonly program: Address | null;
  /** Whom an instruction makes its holder: owner of the token account, authority of the nonce; null where none does. */
  readonly holder: Address | null;
}

/** Actions of the instructions that create an account directly. */
export const CREATING = new Set(['createAccount', 'createAccountWithSeed']);

/**
 * The accounts that a transaction creates. One that an earlier instruction names is none: a wallet can be emptied first
 * and then be created again, with data or for a program, and is lost to its owner.
 */
export function createdAccounts(readings: readonly Reading[]): Map<Address, CreatedAccount> {
  const holders = new Map<Address, Address>();
  for (const reading of readings) {
    const holding = initializedHolding(reading);
    if (holding !== null && !holders.has(holding.account)) holders.set(holding.account, holding.holder);
  }
  const created = new Map<Address, CreatedAccount>();
  const seen = new Set<Address | null>();
  for (const reading of readings) {
    const account = reading.account('account');
    if (CREATING.has(reading.action) && account !== null && !seen.has(account)) {
      created.set(account, {
        payer: reading.account('payer'),
        lamports: reading.amount('lamports'),
        space: reading.amount('space'),
        program: reading.address('owner'),
        holder: holders.get(account) ?? null,
      });
    }
    for (const { address } of reading.call.accounts) seen.add(address);
  }
  return created;
}

/** Who is made the holder of an account, and for which mint where it is a token account; null for any other instruction. */
export function initializedHolding(
  reading: Reading,
): { readonly account: Address; readonly holder: Address; readonly mint: Address | null } | null {
  switch (reading.action) {
    case 'initializeAccount':
      return holdingOf(
        reading.account('account'),
        reading.address('owner') ?? reading.account('owner'),
        reading.account('mint'),
      );
    case 'initializeNonce':
      return holdingOf(reading.account('nonceAccount'), reading.address('authority'), null);
    default:
      return null;
  }
}

const holdingOf = (account: Address | null, holder: Address | null, mint: Address | null) =>
  account === null || holder === null ? null : { account, holder, mint };
