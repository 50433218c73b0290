import { z } from 'zod';
import type { Chain } from '../chain/chain.ts';
import type { Clusters } from '../chain/clusters.ts';
import { quoted } from '../errors/quoted-text.ts';
import { ServiceError } from '../errors/service-error.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../programs/addresses.ts';
import { deriveDelegationRecord } from '../programs/delegation/pdas.ts';
import { DELEGATION_RECORD_BYTES } from '../programs/delegation/state.ts';
import {
  decodeStealthPool,
  POOL_DESTINATIONS_MAX,
  STEALTH_POOL_BYTES,
  type StealthPoolKeys,
  updateStealthPool,
} from '../programs/ephemeral-token/layout-b/stealth-pool.ts';
import { STEALTH_TABLE } from '../programs/ephemeral-token/table/queue.ts';
import { encode } from '../programs/instruction-table/encode.ts';
import { derivePermission, PERMISSION_BYTES } from '../programs/permission/state.ts';
import { RENT_SYSVAR } from '../programs/sysvars.ts';
import type { Account, Rent } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { Instruction } from '../solana/instruction.ts';
import { LAMPORTS_PER_SIGNATURE } from '../solana/signature-fee.ts';
import { deriveDelegationAccounts } from './accounts/deposit-accounts.ts';
import { isProgramAccount, readNamedAccounts } from './accounts/token-account.ts';
import {
  buildTransaction,
  builtTransactionMembers,
  endpointWarnings,
  notesMember,
  presentBuilt,
  sendRpcEndpointMember,
  type Warning,
  warningsMember,
} from './building/built-transaction.ts';
import { warnOfTooFewLamports } from './building/warnings.ts';
import { requireRollup, resolveLayoutB } from './cluster-support.ts';
import { requireRent, sumLamports } from './fees/costs.ts';
import { address, cluster, flag } from './fields/fields.ts';
import { defineOperation, type OperationCaller } from './operation.ts';
import { readValidator } from './rollup-state/eata-status.ts';
import { handleField, stealthPoolOf, warnOfHandle } from './stealth/handle.ts';

const transactionMembers = {
  kind: z.literal('stealthPool').meta({ description: 'What was built.' }),
  ...builtTransactionMembers,
  validator: z.string().meta({ description: 'The validator the pool is delegated to.' }),
};

/**
 * Builds the two unsigned transactions that make a handle payable: the setup on base, and the update that
 * stores the destinations on the rollup.
 *
 * Errors: CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, INVALID_STEALTH_HANDLE, MISSING_AUTH_TOKEN,
 * VALIDATOR_UNRESOLVED, VALIDATOR_MISMATCH, STEALTH_HANDLE_TAKEN.
 */
export function createStealthPool({ clusters }: { readonly clusters: Clusters }) {
  return defineOperation({
    name: 'createStealthPool',
    title: 'Build a stealth pool',
    description:
      "Builds two unsigned transactions for a stealth handle, a name that can be paid privately without revealing its owner. Send setupTransaction first: it creates the handle's pool on the base ledger. The other members of the result are the second transaction, which sets the destination wallets on the rollup. It can also change the wallets of an existing pool. Needs the rollup's bearer token in the Rollup-Authorization header.",
    effect: 'build',
    input: z.strictObject({
      payer: address('The wallet that pays for the pool. It signs.'),
      authority: address('The wallet that may change the destinations of the pool. It signs.'),
      handle: handleField('The handle that is paid'),
      destinations: z
        .array(address('A wallet that is paid.'), { error: 'must be a list of base58 Solana addresses' })
        .min(1, { error: 'must name 1 to 10 wallets' })
        .max(POOL_DESTINATIONS_MAX, { error: 'must name 1 to 10 wallets' })
        .meta({ description: 'The wallets that receive payments to the handle, 1 to 10.' }),
      splitAcrossKeys: flag(
        'Whether the parts of one payment may go to different wallets. Default: false.',
      ).optional(),
      validator: address("The validator to delegate the pool to. Default: the cluster's own.").optional(),
      cluster: cluster(clusters.names).optional(),
    }),
    output: z.object({
      ...transactionMembers,
      ...sendRpcEndpointMember,
      stealthPool: z.string().meta({ description: 'The address of the pool.' }),
      setupTransaction: z.object(transactionMembers).meta({
        description:
          'The transaction that creates and delegates the pool on the base ledger. Send it first, and the other one after it is confirmed.',
      }),
      ...notesMember,
      ...warningsMember,
    }),
    worksOn: ({ layout, rollup }) => layout === 'b' && rollup !== null,
    run: async (input, caller) => {
      const pool = stealthPoolOf(input.handle, 'handle').address;
      const chain = resolveLayoutB('A stealth pool', input.cluster, clusters);
      requireRollup('A stealth pool', chain, clusters);
      const token = requireToken(caller);
      const validator = input.validator ?? (await chain.validatorIdentity());
      const { payer, authority, handle, destinations, splitAcrossKeys = false } = input;
      const parties = { payer, authority, pool, handle };
      const found = await checkPool(chain, parties, validator);
      const [setup, update] = await Promise.all([
        buildTransaction(chain, payer, planPoolSetup(parties, validator)),
        buildTransaction(chain, payer, planPoolUpdate(parties, { destinations, splitAcrossKeys }), {
          sendTo: 'ephemeral',
          token,
        }),
      ]);
      const warnings = [...found, ...warnOfHandle(handle), ...endpointWarnings(update)];
      const does = `Payments to the stealth handle ${quoted(handle)} (pool ${pool}) will go to ${destinations.length === 1 ? 'one wallet' : `${destinations.length} wallets`}.`;
      const next = `Sign setupTransaction as ${setup.requiredSigners.join(' and ')} and send it to the base ledger before block height ${setup.lastValidBlockHeight} has passed; then do the same with transactionBase64 on the rollup.`;
      const setupTransaction = { kind: 'stealthPool', ...setup, validator } as const;
      return presentBuilt(
        'Built an unsigned SPL stealth pool transaction.',
        { kind: 'stealthPool', ...update, validator, stealthPool: pool, setupTransaction },
        { does, next, warnings },
      );
    },
  });
}

/** Requires a token, because a rollup hides the pool from everyone else and the update could not be built. */
function requireToken({ token }: OperationCaller): string {
  if (token !== undefined) return token;
  throw new ServiceError(
    'MISSING_AUTH_TOKEN',
    'authToken is required to initialize stealth pool destinations inside the ER: log in at the rollup and send its token as Rollup-Authorization: Bearer <token>',
    {},
  );
}

interface PoolParties {
  readonly payer: Address;
  readonly authority: Address;
  readonly pool: Address;
  readonly handle: string;
}

/** Plans the creation and delegation of the empty pool on base; nothing if the validator has the pool. */
export function planPoolSetup({ handle, ...parties }: PoolParties, validator: Address): Instruction[] {
  const accounts = {
    ...parties,
    permission: derivePermission(parties.pool).address,
    delegation: deriveDelegationAccounts(parties.pool, EPHEMERAL_TOKEN_PROGRAM),
  };
  return [encode(STEALTH_TABLE.delegateStealthPool, accounts, { handle, validator })];
}

/** Plans the update of the pool's destinations on the rollup. */
export function planPoolUpdate({ handle, ...accounts }: PoolParties, keys: StealthPoolKeys): Instruction[] {
  return [updateStealthPool(accounts, handle, keys)];
}

/**
 * Checks the pool to set up and its payer's balance on base. The rollup's own state, such as uncommitted
 * keys, is not read.
 *
 * @returns problems to fix before sending.
 * @throws {ServiceError} VALIDATOR_MISMATCH if the pool is delegated to another validator: the setup would do
 *   nothing and the update would fail; STEALTH_HANDLE_TAKEN if it has another authority.
 */
async function checkPool(chain: Chain, parties: PoolParties, validator: Address): Promise<Warning[]> {
  const accounts = await readNamedAccounts(chain, {
    pool: parties.pool,
    record: deriveDelegationRecord(parties.pool).address,
    payer: parties.payer,
    rent: RENT_SYSVAR,
  });
  rejectOtherValidator(
    parties,
    readValidator(parties.pool, accounts.record, EPHEMERAL_TOKEN_PROGRAM),
    validator,
  );
  if (isProgramAccount(accounts.pool)) rejectOtherAuthority(parties, accounts.pool as Account);
  const held = accounts.payer?.lamports ?? 0n;
  const needed = lamportsNeeded(requireRent(accounts.rent), parties, isProgramAccount(accounts.pool));
  return held < needed ? [warnOfTooFewLamports('setup', { who: 'payer', held, needed })] : [];
}

function rejectOtherValidator({ pool }: PoolParties, current: Address | null, wanted: Address): void {
  if (current === null || current === wanted) return;
  throw new ServiceError(
    'VALIDATOR_MISMATCH',
    `The stealth pool ${pool} is delegated to validator ${current} and not to ${wanted}; pass validator ${current} and a cluster whose rollup it runs`,
    { field: 'validator', stealthPool: pool, validator: current, requested: wanted },
  );
}

function rejectOtherAuthority({ pool, authority }: PoolParties, account: Account): void {
  const current = decodeStealthPool(account.data)?.authority ?? authority;
  if (current === authority) return;
  throw new ServiceError(
    'STEALTH_HANDLE_TAKEN',
    `The stealth pool ${pool} of this handle belongs to another authority; choose another handle, or pass its authority`,
    { field: 'handle', stealthPool: pool },
  );
}

/** Computes the fee plus the rent that every setup costs. The delegation metadata is extra. */
function lamportsNeeded(rent: Rent, { payer, authority }: PoolParties, exists: boolean): bigint {
  const created = exists ? [] : [STEALTH_POOL_BYTES, PERMISSION_BYTES, DELEGATION_RECORD_BYTES];
  const signatures = payer === authority ? 1n : 2n;
  return sumLamports(rent, created, signatures * LAMPORTS_PER_SIGNATURE);
}

/**
 * Checks whether the pool of a stealth handle exists. Only its rollup has the destinations.
 *
 * Errors: CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, INVALID_STEALTH_HANDLE.
 */
export function createGetStealthPool({ clusters }: { readonly clusters: Clusters }) {
  return defineOperation({
    name: 'getStealthPool',
    title: 'Look up a stealth pool',
    description:
      'Reads whether a stealth handle can be paid: whether its pool exists on the base ledger, and its address. Does not reveal the destination wallets.',
    effect: 'read',
    input: z.strictObject({
      handle: handleField('The handle to look up'),
      cluster: cluster(clusters.names).optional(),
    }),
    output: z.object({
      stealthPool: z.string().meta({ description: 'The address of the pool of the handle.' }),
      exists: z.boolean().meta({ description: 'Whether the pool has been created on the base ledger.' }),
    }),
    worksOn: ({ layout }) => layout === 'b',
    run: async (input) => {
      const stealthPool = stealthPoolOf(input.handle, 'handle').address;
      const chain = resolveLayoutB('A stealth pool', input.cluster, clusters);
      const [account] = await chain.getAccounts([stealthPool]);
      const exists = isProgramAccount(account ?? null);
      return {
        output: { stealthPool, exists },
        sentences: [
          'Fetched the stealth pool status.',
          exists
            ? `The handle ${quoted(input.handle)} has its pool at ${stealthPool}.`
            : `The handle ${quoted(input.handle)} has no pool yet. Its address would be ${stealthPool}.`,
        ],
      };
    },
  });
}
