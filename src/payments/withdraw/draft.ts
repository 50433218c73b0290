import type { Chain, Layout } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Random } from '../../ports/random.ts';
import { NATIVE_MINT } from '../../programs/addresses.ts';
import { createAtaIdempotent } from '../../programs/associated-token.ts';
import { DELEGATION_METADATA_BYTES, DELEGATION_RECORD_BYTES } from '../../programs/delegation/state.ts';
import { EATA_TABLE, EATA_TABLE_A } from '../../programs/ephemeral-token/table/eata.ts';
import { SHUTTLE_TABLE } from '../../programs/ephemeral-token/table/shuttle.ts';
import { encode } from '../../programs/instruction-table/encode.ts';
import { closeTokenAccount } from '../../programs/token/instructions.ts';
import { ataBytes } from '../../programs/token/mint-extensions.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../solana/signature-fee.ts';
import {
  addressesOfOwner,
  type DepositAccounts,
  deriveDepositAccounts,
  eataOf,
  expectedOwnerAta,
  type OwnerState,
  ownerStateOf,
  readWithFreshShuttle,
  type Shuttle,
} from '../accounts/deposit-accounts.ts';
import { forWithdrawing, readNamedAccounts } from '../accounts/token-account.ts';
import { requireWalletAccount } from '../accounts/wallet.ts';
import type { Draft, Warning } from '../building/built-transaction.ts';
import {
  warnOfArrival,
  warnOfConfidentialOnly,
  warnOfFrozen,
  warnOfLowRentPda,
  warnOfTooFewLamports,
  warnOfUnknownValidator,
} from '../building/warnings.ts';
import { RENT_PDA, rentPdaLow, SHUTTLE_FEE_LAMPORTS, sumLamports } from '../fees/costs.ts';
import { describeTokens } from '../mints/common-mints.ts';
import {
  type DelegatedTexts,
  type EataStatus,
  eataStatusOf,
  isSettlingOn,
  readReleased,
  rejectDelegated,
  requireValidator,
  staysDelegated,
} from '../rollup-state/eata-status.ts';
import { requireRollupBalance } from '../rollup-state/rollup-balance.ts';
import type { WithdrawRequest } from '../withdraw.ts';

interface WithdrawPlan {
  readonly accounts: DepositAccounts;
  /** Amount, in base units. */
  readonly amount: bigint;
  readonly initOwnerAta: boolean;
}

interface DirectWithdrawPlan extends WithdrawPlan {
  readonly layout: Layout;
  readonly closesOwnerAta: boolean;
}

/** Plans a direct withdrawal of an undelegated eATA: create the ATA, withdraw, close the ATA. */
export function planDirectWithdraw(plan: DirectWithdrawPlan): Instruction[] {
  const { accounts, amount } = plan;
  const { owner, ownerAta, tokenProgram, vault } = accounts;
  const moved = { ...accounts, eata: accounts.eata.address, vault: vault.address };
  const instructions = ataCreation(plan);
  instructions.push(
    plan.layout === 'a'
      ? encode(EATA_TABLE_A.withdraw, moved, { amount, vaultBump: vault.bump })
      : encode(EATA_TABLE.withdraw, moved, { amount }),
  );
  if (plan.closesOwnerAta) {
    instructions.push(
      closeTokenAccount(tokenProgram, { account: ownerAta, destination: owner, authority: owner }),
    );
  }
  return instructions;
}

interface ShuttleWithdrawPlan extends WithdrawPlan {
  readonly validator: Address;
  readonly shuttle: Shuttle;
  readonly initEata: boolean;
}

/**
 * Plans a shuttle withdrawal: the owner's ATA, the eATA, its delegation, and the shuttle. All but the shuttle
 * are idempotent.
 */
export function planShuttleWithdraw(plan: ShuttleWithdrawPlan): Instruction[] {
  const { accounts, amount, shuttle, validator } = plan;
  const { owner, mint, tokenProgram, ownerAta } = accounts;
  const eata = accounts.eata.address;
  const instructions = ataCreation(plan);
  if (plan.initEata) instructions.push(encode(EATA_TABLE.initEata, { eata, payer: owner, owner, mint }));
  instructions.push(
    encode(EATA_TABLE.delegateEata, { payer: owner, eata, delegation: accounts.delegation }, { validator }),
    encode(
      SHUTTLE_TABLE.withdrawByShuttle,
      {
        owner,
        mint,
        tokenProgram,
        ownerAta,
        payer: owner,
        rentPda: RENT_PDA,
        shuttle: shuttle.accounts,
        delegation: shuttle.delegation,
      },
      { shuttleId: shuttle.id, amount, validator },
    ),
  );
  return instructions;
}

/**
 * Checks whether a direct withdrawal closes the ATA afterwards. The withdrawal does so only for native SOL
 * and only if the direct form was requested, because closing also unwraps everything else in the account.
 */
export const closesOwnerAta = (mint: Address, idempotent: boolean): boolean =>
  mint === NATIVE_MINT && !idempotent;

function ataCreation({ accounts, initOwnerAta }: WithdrawPlan): Instruction[] {
  if (!initOwnerAta) return [];
  const { owner, mint, tokenProgram, ownerAta } = accounts;
  return [createAtaIdempotent({ payer: owner, ata: ownerAta, owner, mint, tokenProgram })];
}

interface WithdrawState extends OwnerState {
  readonly eata: EataStatus;
}

/**
 * Reads the accounts of a withdrawal at one slot.
 *
 * @throws {ServiceError} INVALID_OWNER if the owner's account is not a wallet; TOKEN_ACCOUNT_OWNER_MISMATCH,
 *   ACCOUNT_UNREADABLE if an account does not match its address.
 */
async function readWithdrawState(
  chain: Chain,
  accounts: DepositAccounts,
  validator: Address,
  shuttle: Shuttle | null,
): Promise<WithdrawState> {
  const found = await readNamedAccounts(chain, {
    ...addressesOfOwner(accounts, validator),
    rentPda: shuttle === null ? null : RENT_PDA,
    shuttle: shuttle === null ? null : shuttle.accounts.metadata,
  });
  requireWalletAccount(accounts.owner, 'owner', found.wallet);
  return {
    eata: eataStatusOf(accounts.eata.address, found.eata, found.record, chain.layout),
    ...ownerStateOf(accounts, found, forWithdrawing),
  };
}

/** @throws {ServiceError} EATA_BALANCE_TOO_LOW if the amount exceeds the balance on base. */
function requireHeld(
  { accounts, amount }: WithdrawPlan,
  eata: EataStatus,
  { decimals, chain }: { readonly decimals: number; readonly chain: Chain },
): void {
  if (eata.at === 'rollup') return;
  const held = eata.at === 'base' ? eata.amount : 0n;
  if (held >= amount) return;
  const tokens = { mint: accounts.mint, decimals };
  throw new ServiceError(
    'EATA_BALANCE_TOO_LOW',
    `The ephemeral token account ${accounts.eata.address} of ${accounts.owner} holds ${describeTokens(held, tokens)}, but the withdrawal needs ${describeTokens(amount, tokens)}: ${adviceFor(held, chain)}`,
    { field: 'amount', eata: accounts.eata.address, held: held.toString(), amount: amount.toString() },
  );
}

/** Advises on a low balance. Without shuttles and a rollup, a new deposit could never be withdrawn. */
function adviceFor(held: bigint, { layout, rollup, cluster }: Chain): string {
  const most = `withdraw at most ${held} base units`;
  if (layout === 'b' || rollup !== null) return held === 0n ? 'deposit first' : `${most}, or deposit first`;
  if (held > 0n) return most;
  return `there is nothing to withdraw, and a deposit would stay delegated, because cluster ${cluster} has no rollup configured to undelegate it; use another wallet or another cluster`;
}

/** @throws {ServiceError} TOKEN_ACCOUNT_NOT_FOUND. */
function requireDestination(plan: WithdrawPlan, state: WithdrawState): void {
  if (state.ownerTokens !== null || plan.initOwnerAta) return;
  const { owner, ownerAta } = plan.accounts;
  throw new ServiceError(
    'TOKEN_ACCOUNT_NOT_FOUND',
    `The token account ${ownerAta} of ${owner}, which would receive the tokens, does not exist; set initAtasIfMissing to true`,
    { field: 'initAtasIfMissing', ata: ownerAta, owner },
  );
}

/** Costs of a withdrawal for its owner, in addition to the signature and the rent of the ATA. */
interface WithdrawCosts {
  /** Sizes of the accounts that the withdrawal creates permanently, in bytes. */
  readonly createdBytes: readonly number[];
  readonly feeLamports: bigint;
}

/** Warns about conditions that make the withdrawal fail or give its tokens to others. */
function withdrawWarnings(
  plan: WithdrawPlan,
  state: WithdrawState,
  { facts, terms }: Pick<WithdrawRequest, 'facts' | 'terms'>,
  costs: WithdrawCosts,
): Warning[] {
  const { accounts, initOwnerAta } = plan;
  const { owner, ownerAta } = accounts;
  const { ownerTokens, ownerLamports: held } = state;
  const arrival = { ...expectedOwnerAta(accounts), owner, decimals: facts.decimals };
  // A withdrawal has no memo.
  const warnings = warnOfArrival({ ...arrival, memoAdvice: MEMO_ADVICE }, ownerTokens);
  if (ownerTokens?.state === 'frozen') warnings.push(warnOfFrozen(`The owner's token account ${ownerAta}`));
  if (ownerTokens?.rules.takesConfidentialOnly === true) {
    warnings.push(warnOfConfidentialOnly('the owner', ownerAta));
  }
  const created = [...costs.createdBytes];
  if (initOwnerAta && ownerTokens === null) {
    created.push(ataBytes(facts.tokenProgram, terms?.extensions ?? null));
  }
  const needed = sumLamports(state.rent, created, LAMPORTS_PER_SIGNATURE, costs.feeLamports);
  if (held < needed) warnings.push(warnOfTooFewLamports('withdrawal', { who: 'owner', held, needed }));
  return warnings;
}

const MEMO_ADVICE = 'switch that off first (MemoTransfer Disable)';

const UNDELEGATE_FIRST =
  'undelegate it on the rollup first (spl.undelegate), wait for the settlement to reach the base ledger, then withdraw';
const BY_SHUTTLE = 'leave out idempotent or set it to true to go through a shuttle';

/** Advises on a delegated eATA. Only layout B has shuttles, and only a rollup undelegates. */
function advice({ layout, rollup, cluster }: Chain): string {
  const ways = [...(layout === 'b' ? [BY_SHUTTLE] : []), ...(rollup === null ? [] : [UNDELEGATE_FIRST])];
  return ways.length === 0 ? staysDelegated(cluster) : `To withdraw, ${ways.join('; or ')}.`;
}

const wordsOf = (chain: Chain): DelegatedTexts => ({
  settling: { what: 'the vault cannot pay its tokens out', advice: 'then withdraw' },
  elsewhere: 'Nothing can be withdrawn from it.',
  delegated: (to) =>
    `is delegated to ${to}: its tokens are on the rollup and the vault cannot pay them out. ${advice(chain)}`,
});

/**
 * Drafts a direct withdrawal from the vault: always on layout A, on layout B only with `idempotent: false`.
 *
 * @throws {ServiceError} EATA_SETTLING, EATA_ALREADY_DELEGATED, EATA_DELEGATED_ELSEWHERE,
 *   EATA_BALANCE_TOO_LOW, TOKEN_ACCOUNT_NOT_FOUND, ACCOUNT_UNREADABLE.
 */
export async function draftDirectWithdraw(request: WithdrawRequest): Promise<Draft> {
  const { chain, input, facts, validator } = request;
  const accounts = deriveDepositAccounts(input.owner, facts.mint, facts.tokenProgram);
  const [isSettling, state] = await Promise.all([
    isSettlingOn(chain, accounts.eata.address),
    readWithdrawState(chain, accounts, validator, null),
  ]);
  const plan: DirectWithdrawPlan = {
    layout: chain.layout,
    accounts,
    amount: input.amount,
    initOwnerAta: input.initAtasIfMissing ?? false,
    closesOwnerAta: closesOwnerAta(facts.mint, input.idempotent ?? true),
  };
  if (state.eata.at === 'rollup') {
    const { validator: delegatedTo } = state.eata;
    return rejectDelegated(chain, eataOf(accounts), { validator: delegatedTo, isSettling }, wordsOf(chain));
  }
  requireHeld(plan, state.eata, { decimals: facts.decimals, chain });
  requireDestination(plan, state);
  return {
    instructions: planDirectWithdraw(plan),
    warnings: withdrawWarnings(plan, state, request, { createdBytes: [], feeLamports: 0n }),
    notes: notesOn(plan),
  };
}

const notesOn = ({ closesOwnerAta: closes, accounts }: DirectWithdrawPlan): string[] =>
  closes
    ? [`It then closes the token account ${accounts.ownerAta}: all wrapped SOL in it becomes plain SOL.`]
    : [];

/**
 * Drafts a withdrawal from the rollup through a shuttle with a fresh id (layout B only). The draft has a
 * warning if the rollup does not show the balance to the holder of `token`.
 *
 * @throws {ServiceError} EATA_VALIDATOR_MISMATCH, EATA_BALANCE_TOO_LOW, TOKEN_ACCOUNT_NOT_FOUND,
 *   ACCOUNT_UNREADABLE.
 */
export async function draftShuttleWithdraw(
  request: WithdrawRequest,
  random: Random,
  token: string | undefined,
): Promise<Draft> {
  const { chain, input, facts, validator } = request;
  const accounts = deriveDepositAccounts(input.owner, facts.mint, facts.tokenProgram);
  const { shuttle, state } = await readWithFreshShuttle(accounts, random, (drawn) =>
    readWithdrawState(chain, accounts, validator, drawn),
  );
  const plan: ShuttleWithdrawPlan = {
    accounts,
    amount: input.amount,
    validator,
    shuttle,
    initEata: input.initIfMissing ?? true,
    initOwnerAta: input.initAtasIfMissing ?? false,
  };
  requireValidator(accounts.eata.address, state.eata, validator);
  requireHeld(plan, state.eata, { decimals: facts.decimals, chain });
  requireDestination(plan, state);
  // The withdrawal itself returns its amount.
  const left =
    state.eata.at === 'base' ? { ...state.eata, amount: state.eata.amount - input.amount } : state.eata;
  const delegating = { status: left, validator, ata: accounts.ownerAta, facts };
  const [released, balance] = await Promise.all([
    readReleased(chain, delegating),
    state.eata.at === 'rollup'
      ? requireRollupBalance(
          {
            chain,
            what: 'the withdrawal',
            source: expectedOwnerAta(accounts),
            validator,
            taken: input.amount,
            decimals: facts.decimals,
          },
          token,
        )
      : [],
  ]);
  return {
    instructions: planShuttleWithdraw(plan),
    warnings: [...warningsFor(plan, state, request), ...released, ...balance],
    notes: [],
  };
}

function warningsFor(plan: ShuttleWithdrawPlan, state: WithdrawState, request: WithdrawRequest): Warning[] {
  const { eata, validatorAdmitted, rentPdaLamports } = state;
  const warnings = withdrawWarnings(plan, state, request, {
    createdBytes: eata.at === 'rollup' ? [] : [DELEGATION_RECORD_BYTES, DELEGATION_METADATA_BYTES],
    feeLamports: SHUTTLE_FEE_LAMPORTS,
  });
  if (!validatorAdmitted) warnings.push(warnOfUnknownValidator(plan.validator));
  if (rentPdaLamports < rentPdaLow(state.rent)) {
    warnings.push(warnOfLowRentPda(rentPdaLamports, state.rent));
  }
  return warnings;
}
