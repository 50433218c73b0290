import { z } from 'zod';
import type { VaultRequest } from '../building/vault-payment.ts';
import { address, amount, cluster, flag } from '../fields/fields.ts';

/** The arguments of a deposit, with these cluster names. */
export const depositInput = (clusterNames: readonly string[]) =>
  z.strictObject({
    owner: address('The wallet whose tokens are deposited. It signs and pays.'),
    amount: amount(
      "How much to deposit, in the mint's base units (1 USDC = 1000000). An integer, or a decimal string up to 18446744073709551615.",
    ),
    mint: address("The mint of the tokens. Default: the cluster's USDC.").optional(),
    validator: address("The validator to delegate to. Default: the cluster's own.").optional(),
    cluster: cluster(clusterNames).optional(),
    private: flag(
      'Create the permission account that lets only the owner read the deposit on the rollup. Default: true.',
    ).optional(),
    initIfMissing: flag("Create the owner's ephemeral token account. Default: true.").optional(),
    initAtasIfMissing: flag(
      "Create the owner's token account (ATA). Default: false. Without effect outside localnet when idempotent is false.",
    ).optional(),
    initVaultIfMissing: flag(
      'Create the vault of the mint and its token account. Default: on localnet only when it does not exist yet; elsewhere false, or what initIfMissing is when idempotent is false.',
    ).optional(),
    idempotent: flag(
      'True deposits through a shuttle, which also works while the ephemeral token account is delegated; false deposits directly and then delegates. On localnet every deposit is direct and this changes nothing. Default: true.',
    ).optional(),
  });

/** What a caller asks for. */
export type DepositInput = z.infer<ReturnType<typeof depositInput>>;

/** A deposit with its chain and its defaults resolved. */
export type DepositRequest = VaultRequest<DepositInput>;
