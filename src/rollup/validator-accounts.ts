import { exemptAccounts } from '../ledger/genesis/exempt-accounts.ts';
import type { AccountEntry } from '../ledger/genesis/genesis.ts';
import { walletAccount } from '../ledger/genesis/wallet-account.ts';
import { DELEGATION_PROGRAM } from '../programs/addresses.ts';
import { deriveValidatorFeesVault } from '../programs/delegation/pdas.ts';
import { FEES_VAULT_BYTES } from '../programs/delegation/state.ts';
import { decodeRent, RENT_SYSVAR } from '../programs/sysvars.ts';
import { RENT_EXEMPT_EPOCH } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import { LOCAL_RENT, rentExemptMinimum } from '../solana/rent.ts';
import type { BaseLedger } from './base-ledger.ts';

/** What a validator pays its settlements from: 10,000 SOL, about two thousand million transactions. */
const VALIDATOR_LAMPORTS = 10_000n * 1_000_000_000n;

/**
 * It is given as much again when less than this is left: 5 SOL, without which MagicBlock's validator does not
 * start.
 */
const VALIDATOR_LAMPORTS_MIN = 5n * 1_000_000_000n;

/**
 * What a base ledger has for a validator: lamports, and the fees vault whose existence admits it to settle.
 */
export function validatorAccounts(validator: Address): AccountEntry[] {
  const feesVault = {
    lamports: rentExemptMinimum(FEES_VAULT_BYTES),
    owner: DELEGATION_PROGRAM,
    data: new Uint8Array(FEES_VAULT_BYTES),
    executable: false,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
  return [
    [deriveValidatorFeesVault(validator).address, feesVault],
    [validator, walletAccount(VALIDATOR_LAMPORTS)],
  ];
}

/** Whether base has the fees vault that admits a validator. */
export function isAdmitted(base: Pick<BaseLedger, 'state'>, validator: Address): boolean {
  const { address } = deriveValidatorFeesVault(validator);
  return (base.state().get(address)?.lamports ?? 0n) > 0n;
}

/**
 * Puts in place on base what is missing of {@link validatorAccounts}, and of `others`; resolves once it is
 * durable.
 */
export async function admitValidator(
  base: Pick<BaseLedger, 'state' | 'setOwnAccounts'>,
  validator: Address,
  others: readonly AccountEntry[] = [],
): Promise<void> {
  const state = base.state();
  const missing = [...validatorAccounts(validator), ...others].filter(([address]) => {
    const lamports = state.get(address)?.lamports ?? 0n;
    return lamports === 0n || (address === validator && lamports < VALIDATOR_LAMPORTS_MIN);
  });
  if (missing.length === 0) return;
  const rent = decodeRent(state.get(RENT_SYSVAR) ?? null) ?? LOCAL_RENT;
  await base.setOwnAccounts(exemptAccounts(missing, rent));
}
