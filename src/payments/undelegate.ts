import { z } from 'zod';
import type { Chain, Layout, Rollup } from '../chain/chain.ts';
import type { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';
import { SYSTEM_PROGRAM } from '../programs/addresses.ts';
import { deriveAta } from '../programs/associated-token.ts';
import { deriveDelegationRecord, deriveMagicFeeVault } from '../programs/delegation/pdas.ts';
import { deriveEata } from '../programs/ephemeral-token/pdas.ts';
import { EATA_TABLE } from '../programs/ephemeral-token/table/eata.ts';
import { encode } from '../programs/instruction-table/encode.ts';
import type { Address } from '../solana/address.ts';
import type { Instruction } from '../solana/instruction.ts';
import { readNamedAccounts } from './accounts/token-account.ts';
import { requireWallet } from './accounts/wallet.ts';
import {
  buildTransaction,
  builtTransactionMembers,
  endpointWarnings,
  notesMember,
  presentBuilt,
  sendRpcEndpointMember,
  signingAdvice,
  warningsMember,
} from './building/built-transaction.ts';
import { requireRollup } from './cluster-support.ts';
import { address, cluster } from './fields/fields.ts';
import { readMint, requireHoldable } from './mints/mint-facts.ts';
import { defineOperation } from './operation.ts';
import {
  eataStatusOf,
  isSettlingOn,
  readValidator,
  recordUnreadable,
  requireOwnValidator,
  stillSettling,
} from './rollup-state/eata-status.ts';

const output = z.object({
  kind: z.literal('undelegateEphemeralAta').meta({ description: 'What was built.' }),
  ...builtTransactionMembers,
  ...sendRpcEndpointMember,
  ...notesMember,
  ...warningsMember,
});

const AFTERWARDS =
  'Then watch the base ledger, not the rollup, until the account is there again; only then withdraw.';

/**
 * Builds the unsigned transaction that asks the rollup to settle an owner's eATA and return it to base.
 *
 * Errors: CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, INVALID_OWNER, MINT_NOT_FOUND,
 * UNSUPPORTED_TOKEN_PROGRAM, VALIDATOR_UNRESOLVED, EATA_NOT_DELEGATED, EATA_SETTLING,
 * EATA_DELEGATED_ELSEWHERE, VALIDATOR_MISMATCH, ACCOUNT_UNREADABLE, UPSTREAM_*.
 */
export function createUndelegate({ clusters }: { readonly clusters: Clusters }) {
  return defineOperation({
    name: 'undelegate',
    title: 'Build an undelegation',
    description:
      "Builds an unsigned transaction that asks the rollup to settle the owner's ephemeral token account and return it to the base ledger, where its tokens can then be withdrawn. Returns the transaction as base64, neither signed nor sent. The owner must sign it and send it to the rollup.",
    effect: 'build',
    input: z.strictObject({
      payer: address('The owner of the ephemeral token account. It signs.'),
      mint: address('The mint of the ephemeral token account.'),
      cluster: cluster(clusters.names).optional(),
    }),
    output,
    worksOn: ({ rollup }) => rollup !== null,
    run: async ({ payer, mint, ...input }, { token }) => {
      const chain = clusters.resolve(input.cluster);
      const rollup = requireRollup('undelegate', chain, clusters);
      requireWallet(payer, 'payer', 'an undelegation');
      const [facts, state] = await Promise.all([
        readMint(chain, mint),
        readUndelegateState(chain, rollup, { owner: payer, mint }),
      ]);
      requireHoldable(facts, chain.layout);
      const instructions = planUndelegate({
        owner: payer,
        mint,
        tokenProgram: facts.tokenProgram,
        walletValidator: chain.layout === 'a' ? null : state.walletValidator,
      });
      const built = await buildTransaction(chain, payer, instructions, { sendTo: 'ephemeral', token });
      const warnings = endpointWarnings(built);
      const does = `It asks validator ${state.validator} to settle and return the ephemeral token account of ${payer} for mint ${mint}.`;
      return presentBuilt(
        'Built an unsigned SPL undelegate transaction.',
        { kind: 'undelegateEphemeralAta', ...built },
        { does, next: signingAdvice(payer, built), notes: [AFTERWARDS], warnings },
      );
    },
  });
}

interface UndelegatePlan {
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  /** Validator that the owner's wallet itself is delegated to; null for an ordinary wallet. Layout B only. */
  readonly walletValidator: Address | null;
}

/** Plans an undelegation on the rollup. Ordinary wallets use the same instruction on both layouts. */
export function planUndelegate(plan: UndelegatePlan): Instruction[] {
  const { owner, mint, tokenProgram, walletValidator } = plan;
  const accounts = {
    owner,
    ownerAta: deriveAta(owner, mint, tokenProgram).address,
    eata: deriveEata(owner, mint).address,
  };
  if (walletValidator === null) return [encode(EATA_TABLE.undelegateEata, accounts)];
  // If the wallet itself is delegated, its validator's fee vault pays.
  const magicFeeVault = deriveMagicFeeVault(walletValidator).address;
  return [
    encode(
      EATA_TABLE.undelegateEataOfDelegated,
      { ...accounts, magicFeeVault },
      { validator: walletValidator },
    ),
  ];
}

/**
 * Reads the validator of an owner's eATA from base, and checks that the cluster's rollup can return it.
 *
 * @returns `validator` runs the cluster's rollup; `walletValidator` as in {@link UndelegatePlan}.
 * @throws {ServiceError} EATA_NOT_DELEGATED, EATA_SETTLING, EATA_DELEGATED_ELSEWHERE, VALIDATOR_MISMATCH,
 *   ACCOUNT_UNREADABLE.
 */
async function readUndelegateState(
  chain: Chain,
  rollup: Rollup,
  { owner, mint }: { readonly owner: Address; readonly mint: Address },
) {
  const eata = deriveEata(owner, mint).address;
  const [isSettling, found, rollupValidator] = await Promise.all([
    isSettlingOn(chain, eata),
    readNamedAccounts(chain, {
      eata,
      record: deriveDelegationRecord(eata).address,
      walletRecord: deriveDelegationRecord(owner).address,
    }),
    rollup.identity(),
  ]);
  const status = eataStatusOf(eata, found.eata, found.record, chain.layout);
  if (status.at !== 'rollup') throw notDelegated({ eata, owner }, status.at === 'nowhere', chain.layout);
  if (isSettling) throw stillSettling({ eata, owner }, 'it need not be requested again', 'then withdraw');
  if (status.validator === null) throw recordUnreadable(eata);
  const place = { eata, owner, cluster: chain.cluster };
  requireOwnValidator(place, status.validator, rollupValidator, 'That rollup cannot undelegate it.');
  const walletValidator = readValidator(owner, found.walletRecord, SYSTEM_PROGRAM);
  if (walletValidator !== null && walletValidator !== rollupValidator) {
    throw new ServiceError(
      'VALIDATOR_MISMATCH',
      `Payer and ephemeral ATA are delegated to different validators: payer ${owner} to ${walletValidator}, the ephemeral token account ${eata} to ${rollupValidator}; undelegate the payer's wallet first`,
      { field: 'payer', payerValidator: walletValidator, eataValidator: rollupValidator },
    );
  }
  return { validator: rollupValidator, walletValidator };
}

function notDelegated(
  { eata, owner }: { readonly eata: Address; readonly owner: Address },
  isMissing: boolean,
  layout: Layout,
): ServiceError {
  const how = layout === 'a' ? 'spl.withdraw' : 'spl.withdraw, with idempotent false';
  const advice = isMissing
    ? 'does not exist: nothing of this mint was deposited'
    : `is not delegated: it can be withdrawn from directly (${how})`;
  return new ServiceError('EATA_NOT_DELEGATED', `The ephemeral token account ${eata} of ${owner} ${advice}`, {
    eata,
    owner,
  });
}
