import { z } from 'zod';
import { address, cluster } from './fields.ts';

/** The arguments of reading a balance, with these cluster names. */
export const balanceInput = (clusterNames: readonly string[]) =>
  z.strictObject({
    address: address('The wallet to look at.'),
    mint: address('The mint of the tokens.'),
    cluster: cluster(clusterNames).optional(),
  });

/** A request for a balance. */
export type BalanceInput = z.infer<ReturnType<typeof balanceInput>>;
