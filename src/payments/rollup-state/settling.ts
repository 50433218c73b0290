import type { Chain } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Address } from '../../solana/address.ts';

/**
 * Whether the cluster's rollup is giving an eATA back. To be asked no later than base is read: an eATA that is neither
 * on its way nor on base is then really delegated.
 */
export const isSettlingOn = async ({ rollup }: Pick<Chain, 'rollup'>, eata: Address): Promise<boolean> =>
  (await rollup?.isSettling?.(eata)) ?? false;

/** The eATA is on its way back to base, so that `what` cannot be done yet; `mend` says what to do then. */
export const stillSettling = (
  { eata, owner }: { readonly eata: Address; readonly owner: Address },
  what: string,
  mend: string,
): ServiceError =>
  new ServiceError(
    'EATA_SETTLING',
    `The ephemeral token account ${eata} of ${owner} is on its way back: its undelegation was accepted and the base ledger does not show it yet, so ${what}. It is a matter of moments: ${mend}. Should it take longer, the log of the rollup says what holds it up.`,
    { eata, owner },
  );
