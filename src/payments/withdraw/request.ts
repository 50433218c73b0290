import { z } from 'zod';
import type { Layout } from '../../chain/chain.ts';
import type { Clusters } from '../../chain/clusters.ts';
import type { VaultRequest } from '../building/vault-payment.ts';
import { layoutANames } from '../cluster-support.ts';
import { address, amount, cluster, escrowIndex, flag } from '../fields/fields.ts';

/** The arguments of a withdrawal, for a service with these clusters. */
export function withdrawInput(clusters: Clusters) {
  const direct = layoutANames(clusters);
  const onDirect = direct === null ? '' : `on ${direct} and `;
  const directOnly = direct === null ? '' : `On ${direct} every withdrawal is straight from the vault. `;
  return z.strictObject({
    owner: address('The wallet whose tokens are withdrawn. It receives them, signs and pays.'),
    mint: address('The mint of the tokens.'),
    amount: amount(
      "How much to withdraw, in the mint's base units (1 USDC = 1000000). An integer, or a decimal string up to 18446744073709551615.",
    ),
    validator: address(
      "The validator the ephemeral token account is delegated to. Default: the cluster's own.",
    ).optional(),
    cluster: cluster(clusters.names).optional(),
    initIfMissing: flag(
      `Create the owner's ephemeral token account. Default: true. Without effect ${onDirect}when idempotent is false.`,
    ).optional(),
    initAtasIfMissing: flag(
      "Create the owner's token account (ATA), which receives the tokens. Default: false.",
    ).optional(),
    escrowIndex: escrowIndex(
      'Accepted for compatibility with the hosted API: an integer from 0 to 255. It does not affect the transaction.',
    ).optional(),
    idempotent: flag(
      `True withdraws from the rollup through a shuttle. False withdraws directly from the vault, which requires an ephemeral token account that is not delegated. ${directOnly}If false, a withdrawal of wrapped SOL closes the token account, and everything in it becomes plain SOL. Default: true.`,
    ).optional(),
  });
}

export type WithdrawInput = z.infer<ReturnType<typeof withdrawInput>>;

/** A withdrawal with its chain and its defaults resolved. */
export type WithdrawRequest = VaultRequest<WithdrawInput>;

/** Whether a withdrawal is paid directly from the vault: always on layout A, on layout B only on request. */
export const isDirectWithdrawal = (
  layout: Layout,
  { idempotent = true }: Pick<WithdrawInput, 'idempotent'>,
): boolean => layout === 'a' || !idempotent;
