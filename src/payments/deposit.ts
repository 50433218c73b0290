import { z } from 'zod';
import type { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';
import { TOKEN_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import { addressBytes, type Address } from '../solana/address.ts';
import { isOnCurve } from '../solana/curve.ts';
import { formatBaseUnits } from './base-units.ts';
import {
  buildTransaction,
  builtTransactionMembers,
  warning,
  type BuiltTransaction,
} from './built-transaction.ts';
import { deriveDepositAccounts } from './deposit-accounts.ts';
import { planDepositA, type DepositPlanA } from './deposit-plan-a.ts';
import { readDepositState, type DepositState } from './deposit-state.ts';
import { depositWarnings } from './deposit-warnings.ts';
import { address, amount, cluster, flag } from './fields.ts';
import { readMint, type MintFacts } from './mint-facts.ts';
import type { Operation } from './operation.ts';

/** Permission flags of a private deposit: the owner alone, whom the program makes the authority by itself. */
const OWNER_ONLY = 0;

const output = z.object({
  kind: z.literal('deposit').meta({ description: 'What was built.' }),
  ...builtTransactionMembers,
  validator: z.string().meta({ description: 'The validator the ephemeral token account is delegated to.' }),
  warnings: z
    .array(warning)
    .optional()
    .meta({ description: 'What to mend before sending; absent when nothing is the matter.' }),
});

const inputOf = (clusterNames: readonly string[]) =>
  z.strictObject({
    owner: address('The wallet whose tokens are deposited. It signs and pays.'),
    amount: amount(
      "How much to deposit, in the mint's base units (1 USDC = 1000000). An integer, or a decimal string up to 18446744073709551615.",
    ),
    mint: address(`The mint of the tokens. Default: USDC, ${USDC_MINT}.`).optional(),
    validator: address("The validator to delegate to. Default: the cluster's own.").optional(),
    cluster: cluster(clusterNames).optional(),
    private: flag(
      'Create the permission account that lets only the owner read the deposit on the rollup. Default: true.',
    ).optional(),
    initIfMissing: flag("Create the owner's ephemeral token account. Default: true.").optional(),
    initAtasIfMissing: flag("Create the owner's token account (ATA). Default: false.").optional(),
    initVaultIfMissing: flag(
      'Create the vault of the mint and its token account. Default: only when it does not exist yet.',
    ).optional(),
    idempotent: flag(
      'Build so that repeating does no harm. On localnet every deposit is built that way and this changes nothing. Default: true.',
    ).optional(),
  });

type Input = z.infer<ReturnType<typeof inputOf>>;
type Output = z.infer<typeof output>;

/**
 * Builds the unsigned transaction that moves tokens into the vault and delegates the owner's ephemeral token account.
 *
 * Errors: CLUSTER_NOT_ALLOWED, INVALID_OWNER, MINT_NOT_FOUND, UNSUPPORTED_TOKEN_PROGRAM, EATA_ALREADY_DELEGATED,
 * EATA_NOT_INITIALIZED, VAULT_NOT_INITIALIZED, ACCOUNT_UNREADABLE, TRANSACTION_TOO_LARGE.
 */
export function createDeposit(clusters: Clusters): Operation<Input, Output> {
  return {
    name: 'deposit',
    title: 'Build a deposit',
    description:
      "Builds an unsigned transaction that deposits SPL tokens from the owner's token account into the mint's vault and delegates the owner's ephemeral token account to a rollup validator, where the tokens can then be paid on privately. Returns the transaction as base64; it is neither signed nor sent. The owner must sign it and send it to the base ledger.",
    effect: 'build',
    input: inputOf(clusters.names) as z.ZodType<Input>,
    output,
    run: async (input) => {
      const chain = clusters.resolve(input.cluster);
      refuseUnableOwner(input.owner);
      const [facts, validator] = await Promise.all([
        readMint(chain, input.mint ?? chain.defaultMint),
        input.validator ?? chain.validatorIdentity(),
      ]);
      refuseToken2022(facts);
      const accounts = deriveDepositAccounts(input.owner, facts.mint, facts.tokenProgram);
      const state = await readDepositState(chain, accounts, validator);
      const plan: DepositPlanA = {
        accounts,
        payer: input.owner,
        amount: input.amount,
        validator,
        initEata: decideInitEata(input, state, accounts.eata.address),
        initVault: decideInitVault(input, state, facts.mint),
        initOwnerAta: input.initAtasIfMissing ?? false,
        permission: (input.private ?? true) ? { flags: OWNER_ONLY, delegateTo: null } : null,
      };
      const built = await buildTransaction(chain, input.owner, planDepositA(plan));
      return present(plan, built, { facts, state, validator });
    },
  };
}

function present(
  plan: DepositPlanA,
  built: BuiltTransaction,
  known: { facts: MintFacts; state: DepositState; validator: Address },
): { output: Output; sentences: string[] } {
  const { facts, state, validator } = known;
  const warnings = depositWarnings(plan, state, validator, facts.decimals);
  const figure = formatBaseUnits(plan.amount, facts.decimals);
  return {
    output: { kind: 'deposit', ...built, validator, ...(warnings.length > 0 ? { warnings } : {}) },
    sentences: [
      'Built an unsigned SPL deposit transaction.',
      `It deposits ${figure} tokens (${plan.amount} base units) of mint ${facts.mint}. Sign it as ${plan.payer} and send it to the base ledger before block height ${built.lastValidBlockHeight} has passed.`,
      ...warnings.map(({ message }) => `Before sending: ${message}`),
    ],
  };
}

/** An address off the curve has no private key: nobody could sign, and its ATA is not derived this way. */
function refuseUnableOwner(owner: Address): void {
  if (isOnCurve(addressBytes(owner))) return;
  throw new ServiceError(
    'INVALID_OWNER',
    `owner ${owner} is off the curve (a program-derived address): it cannot sign a deposit; pass the address of a wallet`,
    { field: 'owner', owner },
  );
}

/** Layout A of the ephemeral SPL token program was written for SPL Token alone. */
function refuseToken2022(facts: MintFacts): void {
  if (facts.tokenProgram === TOKEN_PROGRAM) return;
  throw new ServiceError(
    'UNSUPPORTED_TOKEN_PROGRAM',
    `mint ${facts.mint} belongs to Token-2022, which the program on this cluster cannot hold; pass a mint of SPL Token`,
    { field: 'mint', mint: facts.mint, owner: facts.tokenProgram },
  );
}

function decideInitEata(input: Input, state: DepositState, eata: Address): boolean {
  const wanted = input.initIfMissing ?? true;
  if (!wanted && !state.eataExists) {
    throw new ServiceError(
      'EATA_NOT_INITIALIZED',
      `The ephemeral token account ${eata} does not exist yet; leave out initIfMissing or set it to true`,
      { field: 'initIfMissing', eata },
    );
  }
  return wanted;
}

function decideInitVault(input: Input, state: DepositState, mint: Address): boolean {
  if (input.initVaultIfMissing === false && !state.vaultExists) {
    throw new ServiceError(
      'VAULT_NOT_INITIALIZED',
      `The vault of mint ${mint} does not exist yet; leave out initVaultIfMissing or set it to true`,
      { field: 'initVaultIfMissing', mint },
    );
  }
  return input.initVaultIfMissing ?? !state.vaultExists;
}
