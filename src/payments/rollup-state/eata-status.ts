import type { Chain, Layout } from '../../chain/chain.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { delegatedValidator } from '../../programs/delegation/state.ts';
import { decodeEata, EATA_BYTES_A, EATA_BYTES_B } from '../../programs/ephemeral-token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Warning } from '../building/built-transaction.ts';
import { describeTokens } from '../mints/common-mints.ts';
import type { MintFacts } from '../mints/mint-facts.ts';

/**
 * Reads the validator that an account is delegated to; null if it is not delegated. Payments are sealed for
 * that validator, so only a record of the account's own program is accepted. A system account at the record's
 * address holds stray lamports and is not a record.
 *
 * @param account the possibly delegated account, for the error.
 * @param record the account at the address of its delegation record.
 * @param owner the program that owns the account while it is not delegated.
 * @throws {ServiceError} ACCOUNT_UNREADABLE if that account is not its delegation record.
 */
export function readValidator(account: Address, record: Account | null, owner: Address): Address | null {
  if (record === null || record.lamports === 0n || record.owner === SYSTEM_PROGRAM) return null;
  const validator = delegatedValidator(record, owner);
  if (validator !== null) return validator;
  throw new ServiceError(
    'ACCOUNT_UNREADABLE',
    `The delegation record of ${account} cannot be used: it does not name owner ${owner} and a validator; try again, or ask the operator to check the RPC URLs`,
    { account, owner },
  );
}

/**
 * State of an eATA on base. For a delegated eATA, base has the amount of the last settlement, and only the
 * rollup has the current amount.
 */
export type EataStatus =
  | { readonly at: 'nowhere' }
  | { readonly at: 'base'; readonly amount: bigint }
  /** `validator` is null if the eATA has no delegation record that names one. */
  | { readonly at: 'rollup'; readonly validator: Address | null };

/**
 * Derives the state of an eATA from its account and its delegation record.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE if the eATA is not in the format of the cluster's layout, or its
 * delegation record is invalid.
 */
export function eataStatusOf(
  eata: Address,
  account: Account | null,
  record: Account | null,
  layout: Layout,
): EataStatus {
  const validator = readValidator(eata, record, EPHEMERAL_TOKEN_PROGRAM);
  if (validator !== null || account?.owner === DELEGATION_PROGRAM) return { at: 'rollup', validator };
  // A system account here holds stray lamports. Creating the eATA takes the account over.
  if (account === null || account.owner !== EPHEMERAL_TOKEN_PROGRAM) return { at: 'nowhere' };
  const decoded = decodeEata(account.data);
  if (decoded === null || (layout === 'a' && account.data.length !== EATA_BYTES_A)) {
    const expected = layout === 'a' ? EATA_BYTES_A : EATA_BYTES_B;
    throw new ServiceError(
      'ACCOUNT_UNREADABLE',
      `The ephemeral token account ${eata} has ${account.data.length} bytes instead of ${expected}: this cluster runs a different program layout than the configured one; ask the operator to correct the setting`,
      { eata },
    );
  }
  return { at: 'base', amount: decoded.amount };
}

/**
 * Rejects an eATA that is delegated to another validator, like the program.
 *
 * @throws {ServiceError} EATA_VALIDATOR_MISMATCH; ACCOUNT_UNREADABLE if its validator is unknown.
 */
export function requireValidator(eata: Address, status: EataStatus, validator: Address): void {
  if (status.at !== 'rollup' || status.validator === validator) return;
  if (status.validator === null) throw recordUnreadable(eata);
  throw new ServiceError(
    'EATA_VALIDATOR_MISMATCH',
    `The ephemeral token account ${eata} is delegated to validator ${status.validator} and not to ${validator}: pass validator ${status.validator}, or undelegate it on that validator's rollup first`,
    { field: 'validator', eata, validator: status.validator, requested: validator },
  );
}

/** Advises on a delegated eATA that no known rollup of the cluster can undelegate. */
export const staysDelegated = (cluster: string): string =>
  `Cluster ${cluster} has no rollup configured to undelegate it on, so the deposit stays delegated: use another wallet or another cluster.`;

/** Builds the error for an eATA that is delegated to an unknown validator. */
export const recordUnreadable = (eata: Address): ServiceError =>
  new ServiceError(
    'ACCOUNT_UNREADABLE',
    `The ephemeral token account ${eata} is delegated, but its delegation record cannot be read; try again, or ask the operator to check the RPC URLs`,
    { eata },
  );

/**
 * Checks whether the cluster's rollup is returning an eATA. Call it before or together with the read of base:
 * an eATA that is then neither returning nor on base is certainly delegated.
 */
export const isSettlingOn = async ({ rollup }: Pick<Chain, 'rollup'>, eata: Address): Promise<boolean> =>
  (await rollup?.isSettling?.(eata)) ?? false;

/**
 * Builds the error for an eATA that is returning to base, which makes `what` impossible. `advice` says what
 * to do after the return.
 */
export const stillSettling = (
  { eata, owner }: { readonly eata: Address; readonly owner: Address },
  what: string,
  advice: string,
): ServiceError =>
  new ServiceError(
    'EATA_SETTLING',
    `The ephemeral token account ${eata} of ${owner} is returning to base: its undelegation was accepted, but the base ledger does not show it yet, so ${what}. Wait a moment, ${advice}. If it takes longer, the log of the rollup shows the reason.`,
    { eata, owner },
  );

interface EataPlace {
  readonly eata: Address;
  readonly owner: Address;
  readonly cluster: string;
}

/**
 * Rejects a delegated eATA that the cluster's rollup cannot return, because another validator has it. Anyone
 * can delegate an eATA to any key, because instruction 4 of the ephemeral token program does not require the
 * owner's signature. The key may not belong to any rollup.
 *
 * @param validator the validator that has the eATA.
 * @param rollupValidator the validator that runs the cluster's rollup.
 * @param consequence the consequence, as a sentence.
 * @throws {ServiceError} EATA_DELEGATED_ELSEWHERE.
 */
export function requireOwnValidator(
  place: EataPlace,
  validator: Address,
  rollupValidator: Address,
  consequence: string,
): void {
  if (validator === rollupValidator) return;
  const { eata, owner, cluster } = place;
  throw new ServiceError(
    'EATA_DELEGATED_ELSEWHERE',
    `The ephemeral token account ${eata} of ${owner} is delegated to ${validator}, but ${rollupValidator} runs the rollup of cluster ${cluster}. ${consequence} Only validator ${validator} can return it, on its own rollup. Neither the owner nor this service can do that.`,
    { eata, owner, validator, rollupValidator },
  );
}

interface EataOf {
  readonly eata: Address;
  readonly owner: Address;
  readonly mint: Address;
}

/** The state of a delegated eATA. */
export interface Delegated {
  /** The validator that has the eATA; null if the record names none. */
  readonly validator: Address | null;
  readonly isSettling: boolean;
}

/** Texts for a request that conflicts with a delegated eATA. */
export interface DelegatedTexts {
  /** The action that is not possible until the eATA is back on base, and what to do after that. */
  readonly settling: { readonly what: string; readonly advice: string };
  /** The blocked action while another rollup's validator has the eATA, as a sentence. */
  readonly elsewhere: string;
  /** The problem in all other cases, and how to fix it. `to` names the validator. */
  readonly delegated: (to: string) => string;
}

/**
 * Rejects a request that conflicts with a delegated eATA.
 *
 * @throws {ServiceError} EATA_SETTLING, EATA_DELEGATED_ELSEWHERE, otherwise EATA_ALREADY_DELEGATED.
 */
export async function rejectDelegated(
  { cluster, rollup }: Chain,
  place: EataOf,
  { validator, isSettling }: Delegated,
  { settling, elsewhere, delegated }: DelegatedTexts,
): Promise<never> {
  if (isSettling) throw stillSettling(place, settling.what, settling.advice);
  if (rollup !== null && validator !== null) {
    requireOwnValidator({ ...place, cluster }, validator, await rollup.identity(), elsewhere);
  }
  throw alreadyDelegated(place, validator, delegated);
}

/** Builds the error for a delegated eATA, for any validator. */
export function alreadyDelegated(
  { eata, owner, mint }: EataOf,
  validator: Address | null,
  text: DelegatedTexts['delegated'],
): ServiceError {
  const to = validator === null ? 'a validator' : `validator ${validator}`;
  return new ServiceError(
    'EATA_ALREADY_DELEGATED',
    `The ephemeral token account ${eata} of ${owner} ${text(to)}`,
    { eata, owner, mint, ...(validator === null ? {} : { validator }) },
  );
}

interface Delegating {
  readonly status: EataStatus;
  readonly validator: Address;
  /** The owner's ATA, which is the account on the rollup. */
  readonly ata: Address;
  readonly facts: Pick<MintFacts, 'mint' | 'decimals'>;
}

/** Warns if the eATA holds tokens that its owner could withdraw from base. */
function warnOfDelegatedAgain({ status, ata, facts }: Delegating): Warning[] {
  if (status.at !== 'base' || status.amount === 0n) return [];
  return [
    {
      code: 'DELEGATED_AGAIN',
      message: `The ephemeral token account of ${ata} holds ${describeTokens(status.amount, facts)} on the base ledger, ready to be withdrawn. This transaction delegates the account again, which moves these tokens back to the rollup. Withdraw them first to keep them on the base ledger.`,
    },
  ];
}

/**
 * Warns about tokens that a new delegation moves back to the rollup, and reads the eATA's ATA on the rollup
 * once. MagicBlock's validator (0.14.10) keeps the old state of the ATA until someone reads it. Until then a
 * shuttle cannot be merged into it, and its tokens must be recovered. Base does not show earlier delegations,
 * so every eATA on base needs this read. The response does not matter, so the read needs no token.
 *
 * @returns warnings, even if the rollup could not be read.
 */
export async function readReleased({ layout, rollup }: Chain, delegating: Delegating): Promise<Warning[]> {
  const { status, validator, ata } = delegating;
  const again = warnOfDelegatedAgain(delegating);
  if (layout === 'a' || rollup === null || status.at !== 'base') return again;
  try {
    if ((await rollup.identity()) === validator) await rollup.getAccounts([ata]);
    return again;
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return [...again, warnOfStaleAta(ata)];
  }
}

const warnOfStaleAta = (ata: Address): Warning => ({
  code: 'ROLLUP_UNREAD',
  message: `Token account ${ata} could not be read on the rollup. If its ephemeral token account was delegated there before, the rollup may still have the old state, and the tokens may not arrive. Build it again once the rollup answers. spl.recoverShuttles recovers tokens that do not arrive.`,
});
