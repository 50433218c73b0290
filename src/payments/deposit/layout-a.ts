import { EATA_BYTES_A, VAULT_BYTES_A } from '../../programs/ephemeral-token/state.ts';
import { eataOf } from '../accounts/deposit-accounts.ts';
import { staysDelegated } from '../rollup-state/eata-status.ts';
import { refuseDelegated } from '../rollup-state/refuse-delegated.ts';
import type { DelegatedDeposit, DepositLayout } from './deposit-layout.ts';
import { planDepositA } from './plan-a.ts';

/**
 * Deposits on layout A: directly into the vault, then the eATA is delegated. A delegated eATA cannot be added
 * to.
 */
export const DEPOSIT_A: DepositLayout = {
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
