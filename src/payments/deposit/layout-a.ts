import { EATA_BYTES_A, VAULT_BYTES_A } from '../../programs/ephemeral-token/state.ts';
import { staysDelegated } from '../rollup-state/eata-status.ts';
import { requireOwnValidator } from '../rollup-state/other-validator.ts';
import { stillSettling } from '../rollup-state/settling.ts';
import type { DelegatedDeposit, DepositLayout } from './deposit-layout.ts';
import { writeDepositA } from './message-a.ts';
import { planDepositA } from './plan-a.ts';
import { alreadyDelegated } from './refusals.ts';

/** A deposit on layout A: directly into the vault, then the eATA is delegated. It cannot add to a delegated one. */
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
  requireAddable: refuseDelegated,
  plan: planDepositA,
  write: writeDepositA,
};

const UNDELEGATE_FIRST =
  'Undelegate it on the rollup first (spl.undelegate; its tokens stay in it) and deposit again once the base ledger shows it.';

const NOT_HERE = 'Nothing can be added to it: deposit from another wallet.';

async function refuseDelegated({
  chain,
  accounts,
  delegatedTo,
  isSettling,
}: DelegatedDeposit): Promise<never> {
  const { cluster, rollup } = chain;
  const place = { eata: accounts.eata.address, owner: accounts.owner, mint: accounts.mint };
  if (isSettling) throw stillSettling(place, 'nothing can be added to it', 'then deposit again');
  if (rollup !== null && delegatedTo !== null) {
    requireOwnValidator({ ...place, cluster }, delegatedTo, await rollup.identity(), NOT_HERE);
  }
  throw alreadyDelegated(
    place,
    delegatedTo,
    `the program on this cluster cannot add to a delegated account. ${rollup === null ? staysDelegated(cluster) : UNDELEGATE_FIRST}`,
  );
}
