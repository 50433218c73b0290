import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import { type AccountEntry, exemptAccounts, walletAccount } from '../ledger/genesis/genesis.ts';
import type { Keypair } from '../ledger/keypair.ts';
import { DELEGATION_PROGRAM } from '../programs/addresses.ts';
import { deriveValidatorFeesVault } from '../programs/delegation/pdas.ts';
import { FEES_VAULT_BYTES } from '../programs/delegation/state.ts';
import { decodeRent, RENT_SYSVAR } from '../programs/sysvars.ts';
import { LOCAL_RENT, RENT_EXEMPT_EPOCH, rentExemptMinimum } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { BaseLedger } from './rollup-context.ts';

/** Initial balance of a validator: 10,000 SOL, enough for about two billion settlement transactions. */
const VALIDATOR_LAMPORTS = 10_000n * 1_000_000_000n;

/** Balance below which a validator is refilled: 5 SOL, MagicBlock's minimum at startup. */
const VALIDATOR_LAMPORTS_MIN = 5n * 1_000_000_000n;

/** Returns the accounts that a validator needs on base: its wallet and its fees vault. */
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

/** Creates the missing {@link validatorAccounts} and `others` on base. Resolves when they are durable. */
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

/** Purpose for which the validator's key is derived from the secret of the base ledger. */
export const VALIDATOR_PURPOSE = 'rollup validator';

/**
 * Derives the key of the validator from the base ledger's secret. No one else can settle on that ledger. The
 * key is the same after every start and reset.
 */
export function rollupValidatorOf(base: Pick<EmbeddedLedger, 'keypairFor'>): Keypair {
  return base.keypairFor(VALIDATOR_PURPOSE);
}
