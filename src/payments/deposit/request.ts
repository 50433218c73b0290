import { z } from 'zod';
import type { Clusters } from '../../chain/clusters.ts';
import type { VaultRequest } from '../building/vault-payment.ts';
import { layoutANames } from '../cluster-support.ts';
import { address, amount, cluster, flag } from '../fields/fields.ts';

/** The arguments of a deposit, for a service with these clusters. */
export function depositInput(clusters: Clusters) {
  const words = textsFor(layoutANames(clusters));
  return z.strictObject({
    owner: address('The wallet whose tokens are deposited. It signs and pays.'),
    amount: amount(
      "How much to deposit, in the mint's base units (1 USDC = 1000000). An integer, or a decimal string up to 18446744073709551615.",
    ),
    mint: address("The mint of the tokens. Default: the cluster's USDC.").optional(),
    validator: address("The validator to delegate to. Default: the cluster's own.").optional(),
    cluster: cluster(clusters.names).optional(),
    private: flag(
      'Create the permission account that lets only the owner read the deposit on the rollup. Default: true.',
    ).optional(),
    initIfMissing: flag("Create the owner's ephemeral token account. Default: true.").optional(),
    initAtasIfMissing: flag(
      `Create the owner's token account (ATA). Default: false. ${words.ataEffect}`,
    ).optional(),
    initVaultIfMissing: flag(
      `Create the vault of the mint and its token account. Default: ${words.vaultDefault}`,
    ).optional(),
    idempotent: flag(
      `True deposits through a shuttle, which also works while the ephemeral token account is delegated; false deposits directly and then delegates. ${words.directOnly}Default: true.`,
    ).optional(),
  });
}

/** The argument descriptions that depend on the layout. `direct` names the clusters with layout A. */
function textsFor(direct: string | null) {
  if (direct === null) {
    return {
      ataEffect: 'Without effect when idempotent is false.',
      vaultDefault: 'false, or what initIfMissing is when idempotent is false.',
      directOnly: '',
    };
  }
  return {
    ataEffect: `Without effect outside ${direct} when idempotent is false.`,
    vaultDefault: `on ${direct} only when it does not exist yet; elsewhere false, or what initIfMissing is when idempotent is false.`,
    directOnly: `On ${direct} every deposit is direct and this changes nothing. `,
  };
}

export type DepositInput = z.infer<ReturnType<typeof depositInput>>;

/** A deposit with its chain and its defaults resolved. */
export type DepositRequest = VaultRequest<DepositInput>;
