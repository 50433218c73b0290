import type { Chain } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Address } from '../../solana/address.ts';

/**
 * Whether the cluster's rollup is returning an eATA. Ask before or together with the read of base: an eATA
 * that is then neither returning nor on base is certainly delegated.
 */
export const isSettlingOn = async ({ rollup }: Pick<Chain, 'rollup'>, eata: Address): Promise<boolean> =>
  (await rollup?.isSettling?.(eata)) ?? false;

/**
 * The error for an eATA that is returning to base, so that `what` is not possible yet. `mend` says what to do
 * then.
 */
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
