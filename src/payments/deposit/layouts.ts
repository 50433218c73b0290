import type { Layout } from '../../chain/chain.ts';
import { VAULT_BYTES_B } from '../../programs/ephemeral-token/layout-b/account-sizes.ts';
import { EATA_BYTES_A, EATA_BYTES_B, VAULT_BYTES_A } from '../../programs/ephemeral-token/state.ts';
import { eataOf } from '../accounts/deposit-accounts.ts';
import { requireValidator, staysDelegated } from '../rollup-state/eata-status.ts';
import { alreadyDelegated, refuseDelegated } from '../rollup-state/refuse-delegated.ts';
import type { DelegatedDeposit, DepositLayout } from './deposit-layout.ts';
import { planDepositA } from './plan-a.ts';
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

/**
 * Deposits on layout A: directly into the vault, then the eATA is delegated. A delegated eATA cannot be added
 * to.
 */
const DEPOSIT_A: DepositLayout = {
  hasShuttles: false,
  resetsPermission: true,
  bytes: { eata: EATA_BYTES_A, vault: [VAULT_BYTES_A] },
  vaultMend: 'leave out initVaultIfMissing or set it to true',
  switchesOf: (input) => ({
    byShuttle: false,
    isPrivate: input.private ?? true,
    creates: {
      eata: input.initIfMissing ?? true,
      vault: input.initVaultIfMissing ?? null,
      ownerAta: input.initAtasIfMissing ?? false,
    },
  }),
  requireAddable: refuseAdding,
  plan: planDepositA,
};

const UNDELEGATE_FIRST =
  'Undelegate it on the rollup first (spl.undelegate; its tokens stay in it) and deposit again once the base ledger shows it.';

function refuseAdding({ chain, accounts, delegated }: DelegatedDeposit): Promise<never> {
  return refuseDelegated(chain, eataOf(accounts), delegated, {
    settling: { what: 'nothing can be added to it', mend: 'then deposit again' },
    elsewhere: 'Nothing can be added to it: deposit from another wallet.',
    delegated: (to) =>
      `is already delegated to ${to}, and the program on this cluster cannot add to a delegated account. ${chain.rollup === null ? staysDelegated(chain.cluster) : UNDELEGATE_FIRST}`,
  });
}

/** Deposits by layout. */
export const DEPOSIT_LAYOUTS: Readonly<Record<Layout, DepositLayout>> = { a: DEPOSIT_A, b: DEPOSIT_B };
