import { z } from 'zod';
import type { Chain } from '../chain/chain.ts';
import type { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../programs/addresses.ts';
import { createAtaIdempotent } from '../programs/associated-token.ts';
import { DELEGATION_METADATA_BYTES, DELEGATION_RECORD_BYTES } from '../programs/delegation/state.ts';
import {
  QUEUE_ITEMS_DEFAULT,
  transferQueueBytes,
} from '../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { EATA_BYTES_B, VAULT_BYTES_B } from '../programs/ephemeral-token/state.ts';
import { EATA_TABLE } from '../programs/ephemeral-token/table/eata.ts';
import { QUEUE_TABLE } from '../programs/ephemeral-token/table/queue.ts';
import { encode } from '../programs/instruction-table/encode.ts';
import { PERMISSION_BYTES } from '../programs/permission/state.ts';
import { transferLamports } from '../programs/system.ts';
import { RENT_SYSVAR } from '../programs/sysvars.ts';
import { ataBytes } from '../programs/token/mint-extensions.ts';
import type { Account, Rent } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { Instruction } from '../solana/instruction.ts';
import { LAMPORTS_PER_SIGNATURE } from '../solana/signature-fee.ts';
import { deriveDelegationAccounts, deriveFeesVaultOf, deriveMintVault } from './accounts/deposit-accounts.ts';
import { readNamedAccounts } from './accounts/token-account.ts';
import { queueAccountsOf, queueStatusOf } from './accounts/transfer-queue.ts';
import { requireWallet } from './accounts/wallet.ts';
import {
  buildTransaction,
  builtTransactionMembers,
  notesMember,
  presentBuilt,
  signingAdvice,
  type Warning,
  warningsMember,
} from './building/built-transaction.ts';
import { warnOfTooFewLamports, warnOfUnknownValidator } from './building/warnings.ts';
import { resolveLayoutB } from './cluster-support.ts';
import { RENT_PDA, RENT_PDA_TARGET_LAMPORTS, requireRent, sumLamports } from './fees/costs.ts';
import { address, cluster } from './fields/fields.ts';
import { formatBaseUnits } from './mints/common-mints.ts';
import { readMint } from './mints/mint-facts.ts';
import { readMintTerms, requireMovable, requireWhole } from './mints/mint-terms.ts';
import { defineOperation } from './operation.ts';
import { readValidator } from './rollup-state/eata-status.ts';

const output = z.object({
  kind: z.literal('initializeMint').meta({ description: 'What was built.' }),
  ...builtTransactionMembers,
  validator: z.string().meta({ description: 'The validator the mint is made ready for.' }),
  transferQueue: z.string().meta({ description: 'The transfer queue of the mint on that validator.' }),
  rentPda: z.string().meta({ description: "The program's account that pays the rents of shuttles." }),
  ...notesMember,
  ...warningsMember,
});

/**
 * Builds the unsigned transaction that sets up a mint for private transfers on a validator (layout B only).
 *
 * Errors: CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, INVALID_OWNER, MINT_NOT_FOUND,
 * UNSUPPORTED_TOKEN_PROGRAM, UNSUPPORTED_MINT_EXTENSION, VALIDATOR_UNRESOLVED, MINT_ALREADY_INITIALIZED,
 * EATA_VALIDATOR_MISMATCH, ACCOUNT_UNREADABLE, UPSTREAM_*.
 */
export function createInitializeMint({ clusters }: { readonly clusters: Clusters }) {
  return defineOperation({
    name: 'initializeMint',
    title: 'Build a mint initialization',
    description:
      'Builds an unsigned transaction that makes a mint ready for private transfers on a validator by creating and delegating its vault and transfer queue. Costs about 0.21 SOL if nothing exists yet. Returns the transaction as base64; it is neither signed nor sent. The payer must sign it and send it to the base ledger.',
    effect: 'build',
    input: z.strictObject({
      payer: address('The wallet that pays for the accounts. It signs. May also be named owner.'),
      mint: address('The mint to make ready.'),
      validator: address("The validator to make it ready for. Default: the cluster's own.").optional(),
      cluster: cluster(clusters.names).optional(),
    }),
    output,
    // Alias from the hosted API's docs dated 2026-08-05.
    otherNames: { owner: 'payer' },
    worksOn: ({ layout }) => layout === 'b',
    run: async (input) => {
      const chain = resolveLayoutB('initializeMint', input.cluster, clusters);
      requireWallet(input.payer, 'payer', 'the initialization of a mint');
      const [facts, validator] = await Promise.all([
        readMint(chain, input.mint),
        input.validator ?? chain.validatorIdentity(),
      ]);
      const terms = await readMintTerms(chain, facts);
      requireMovable(facts, terms);
      requireWhole(facts, terms);
      const accounts = deriveMintSetupAccounts(facts.mint, facts.tokenProgram, validator);
      const state = await readMintSetupState(
        chain,
        accounts,
        input.payer,
        ataBytes(facts.tokenProgram, terms?.extensions ?? null),
      );
      const built = await buildTransaction(chain, input.payer, planInitializeMint(accounts, input.payer));
      const does = `It sets up mint ${facts.mint} on validator ${validator} and costs at least ${formatBaseUnits(state.lamportsNeeded, 9)} SOL, most of which stays in the transfer queue ${accounts.queue}.`;
      return presentBuilt(
        'Built an unsigned SPL initializeMint transaction.',
        { kind: 'initializeMint', ...built, validator, transferQueue: accounts.queue, rentPda: RENT_PDA },
        { does, next: signingAdvice(input.payer, built), warnings: state.warnings },
      );
    },
  });
}

type MintSetupAccounts = ReturnType<typeof deriveMintSetupAccounts>;

/** Derives the addresses used to set up `mint` on `validator`. */
export function deriveMintSetupAccounts(mint: Address, tokenProgram: Address, validator: Address) {
  const vault = deriveMintVault(mint, tokenProgram);
  const { eataDelegation, ...queue } = queueAccountsOf(mint, validator, tokenProgram);
  return {
    mint,
    tokenProgram,
    validator,
    ...vault,
    ...queue,
    queueDelegation: deriveDelegationAccounts(queue.queue, EPHEMERAL_TOKEN_PROGRAM),
    queueEataDelegation: eataDelegation,
    vaultEataDelegation: deriveDelegationAccounts(vault.vaultEata, EPHEMERAL_TOKEN_PROGRAM),
  };
}

/**
 * Plans the setup of a mint on a validator, in the hosted API's order: the transfer queue, the rent PDA and
 * its lamports, the queue's delegation, the vault and its ATA, the delegation of the vault's eATA.
 */
export function planInitializeMint(accounts: MintSetupAccounts, payer: Address): Instruction[] {
  const { mint, tokenProgram, validator, queue, vaultAta, vaultEata } = accounts;
  const vault = accounts.vault.address;
  return [
    encode(
      QUEUE_TABLE.initTransferQueue,
      { ...accounts, payer, eataDelegation: accounts.queueEataDelegation },
      { requestedItems: null },
    ),
    encode(QUEUE_TABLE.initRentPda, { payer, rentPda: RENT_PDA }),
    transferLamports(payer, RENT_PDA, RENT_PDA_TARGET_LAMPORTS),
    encode(QUEUE_TABLE.delegateTransferQueue, { payer, queue, mint, delegation: accounts.queueDelegation }),
    encode(EATA_TABLE.initVault, { vault, payer, mint, vaultEata, vaultAta, tokenProgram }),
    createAtaIdempotent({ payer, ata: vaultAta, owner: vault, mint, tokenProgram }),
    encode(
      EATA_TABLE.delegateEata,
      { payer, eata: vaultEata, delegation: accounts.vaultEataDelegation },
      { validator },
    ),
  ];
}

/** Initial lamports of a new queue, in addition to its rent (ephemeral SPL token program). */
export const QUEUE_BUFFER_LAMPORTS = 100_000_000n;

/** Size of a queue's metadata, in bytes. A queue has three seeds ("queue", mint, validator), an eATA two. */
const QUEUE_METADATA_BYTES = DELEGATION_METADATA_BYTES + 4 + 'queue'.length;

/** Sizes of the accounts, in bytes. A delegation record counts together with its metadata. */
const SIZES = {
  queue: [transferQueueBytes(QUEUE_ITEMS_DEFAULT)],
  queuePermission: [PERMISSION_BYTES],
  queueEata: [EATA_BYTES_B],
  queueRecord: [DELEGATION_RECORD_BYTES, QUEUE_METADATA_BYTES],
  queueEataRecord: [DELEGATION_RECORD_BYTES, DELEGATION_METADATA_BYTES],
  vault: [VAULT_BYTES_B],
  vaultEata: [EATA_BYTES_B],
  vaultEataRecord: [DELEGATION_RECORD_BYTES, DELEGATION_METADATA_BYTES],
  rentPda: [0],
} as const;

const ATAS = ['queueAta', 'vaultAta'] as const;

type SetupAccounts = {
  readonly [Name in keyof typeof SIZES | (typeof ATAS)[number]]: Account | null;
};

/**
 * Computes the cost of a mint's setup, in lamports: rent for missing accounts, funds for the queue and the
 * rent PDA, and the fee.
 *
 * @param ataSize size of the mint's token accounts, in bytes.
 */
export function lamportsOfSetup(rent: Rent, found: SetupAccounts, ataSize: number): bigint {
  const missing = (Object.keys(SIZES) as (keyof typeof SIZES)[]).filter((name) => found[name] === null);
  const missingAtas = ATAS.filter((name) => found[name] === null);
  return sumLamports(
    rent,
    [...missing.flatMap((name) => SIZES[name]), ...missingAtas.map(() => ataSize)],
    found.queue === null ? QUEUE_BUFFER_LAMPORTS : 0n,
    RENT_PDA_TARGET_LAMPORTS,
    LAMPORTS_PER_SIGNATURE,
  );
}

/**
 * Checks which of a mint's accounts on a validator exist.
 *
 * @returns the minimum cost based on the accounts that exist, and problems to fix before sending.
 * @param ataSize size of the mint's token accounts, in bytes.
 * @throws {ServiceError} MINT_ALREADY_INITIALIZED if nothing is left to do; EATA_VALIDATOR_MISMATCH if the
 *   vault is delegated to another validator, because the program cannot share it; ACCOUNT_UNREADABLE.
 */
async function readMintSetupState(
  chain: Chain,
  accounts: MintSetupAccounts,
  payer: Address,
  ataSize: number,
): Promise<{ readonly lamportsNeeded: bigint; readonly warnings: readonly Warning[] }> {
  const found = await readNamedAccounts(chain, {
    queue: accounts.queue,
    queuePermission: accounts.queuePermission,
    queueEata: accounts.queueEata,
    queueAta: accounts.queueAta,
    queueRecord: accounts.queueDelegation.record,
    queueEataRecord: accounts.queueEataDelegation.record,
    vault: accounts.vault.address,
    vaultEata: accounts.vaultEata,
    vaultAta: accounts.vaultAta,
    vaultEataRecord: accounts.vaultEataDelegation.record,
    rentPda: RENT_PDA,
    payer,
    rent: RENT_SYSVAR,
    feesVault: deriveFeesVaultOf(accounts.validator),
  });
  const isQueueReady = queueStatusOf(accounts.queue, found.queue, accounts) === 'delegated';
  requireUninitialized(accounts, isQueueReady, found.vaultEataRecord);
  const held = found.payer?.lamports ?? 0n;
  const needed = lamportsOfSetup(requireRent(found.rent), found, ataSize);
  const warnings: Warning[] = [];
  if (held < needed) warnings.push(warnOfTooFewLamports('initialization', { who: 'payer', held, needed }));
  if (found.feesVault?.owner !== DELEGATION_PROGRAM) {
    warnings.push(warnOfUnknownValidator(accounts.validator));
  }
  return { lamportsNeeded: needed, warnings };
}

function requireUninitialized(
  { mint, validator, queue, vaultEata }: MintSetupAccounts,
  isQueueReady: boolean,
  vaultEataRecord: Account | null,
): void {
  const vaultValidator = readValidator(vaultEata, vaultEataRecord, EPHEMERAL_TOKEN_PROGRAM);
  if (vaultValidator !== null && vaultValidator !== validator) {
    throw new ServiceError(
      'EATA_VALIDATOR_MISMATCH',
      `The vault of mint ${mint} (its ephemeral token account ${vaultEata}) is delegated to validator ${vaultValidator}, and the program cannot also delegate it to ${validator}; use validator ${vaultValidator} for this mint`,
      { field: 'validator', mint, validator: vaultValidator, requested: validator },
    );
  }
  if (!isQueueReady || vaultValidator === null) return;
  throw new ServiceError(
    'MINT_ALREADY_INITIALIZED',
    `mint ${mint} is already initialized for validator ${validator} (transfer queue ${queue}): there is nothing to send`,
    { field: 'mint', mint, validator, transferQueue: queue },
  );
}
