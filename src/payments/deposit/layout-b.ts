import { VAULT_BYTES_B } from '../../programs/ephemeral-token/layout-b/account-sizes.ts';
import { EATA_BYTES_B } from '../../programs/ephemeral-token/state.ts';
import { eataOf } from '../accounts/deposit-accounts.ts';
import { alreadyDelegated } from '../rollup-state/refuse-delegated.ts';
import { requireValidator } from '../rollup-state/eata-status.ts';
import type { DelegatedDeposit, DepositLayout } from './deposit-layout.ts';
import { planDepositB } from './plan-b.ts';

/** Deposits on layout B: by a shuttle with a fresh id, or directly. Defaults are those of the hosted API. */
export const DEPOSIT_B: DepositLayout = {
  hasShuttles: true,
  resetsPermission: false,
  // The vault has an eATA of its own.
  bytes: { eata: EATA_BYTES_B, vault: [VAULT_BYTES_B, EATA_BYTES_B] },
  vaultMend: 'set initVaultIfMissing to true',
  switchesOf: (input) => {
    const byShuttle = input.idempotent ?? true;
    const eata = input.initIfMissing ?? true;
    return {
      byShuttle,
      isPrivate: input.private ?? true,
      creates: {
        eata,
        vault: input.initVaultIfMissing ?? (byShuttle ? false : eata),
        ownerAta: byShuttle && (input.initAtasIfMissing ?? false),
      },
    };
  },
  requireAddable: requireShuttle,
  plan: planDepositB,
};

/**
 * A shuttle can add to an eATA delegated to its own validator. A direct deposit cannot add to a delegated
 * one.
 */
async function requireShuttle(deposit: DelegatedDeposit): Promise<void> {
  const { accounts, validator, byShuttle, delegated } = deposit;
  requireValidator(accounts.eata.address, { at: 'rollup', validator: delegated.validator }, validator);
  if (byShuttle) return;
  throw alreadyDelegated(
    eataOf(accounts),
    delegated.validator,
    (to) =>
      `is already delegated to ${to}, and a direct deposit cannot add to a delegated account. Leave out idempotent or set it to true: a shuttle can.`,
  );
}
