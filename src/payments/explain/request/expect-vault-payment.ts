import { NATIVE_MINT } from '../../../programs/addresses.ts';
import { decodeRent, RENT_SYSVAR } from '../../../programs/sysvars.ts';
import { decodeTokenAccount } from '../../../programs/token/state.ts';
import { LOCAL_RENT } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import {
  type DepositAccounts,
  deriveDepositAccounts,
  deriveShuttle,
} from '../../accounts/deposit-accounts.ts';
import type { DepositInput } from '../../deposit.ts';
import { depositSwitches, resetsPermission } from '../../deposit/draft.ts';
import { ownersPermission, planDeposit } from '../../deposit/plan.ts';
import { isOwnersAlone, namesOfReaders } from '../../deposit/warnings.ts';
import { RENT_PDA, RENT_PDA_TARGET_LAMPORTS, rentPdaTarget } from '../../fees/costs.ts';
import { findWrapNeeds, NO_WRAP, type WrapNeeds } from '../../mints/wrapped-sol.ts';
import { isDirectWithdrawal, type WithdrawInput } from '../../withdraw.ts';
import { closesOwnerAta, planDirectWithdraw, planShuttleWithdraw } from '../../withdraw/draft.ts';
import type { Difference, Doubt } from '../finding.ts';
import type { ChainFacts } from '../state/chain-facts.ts';
import { permissionOf } from '../state/faults.ts';
import { type Expectation, type ExpectationSource, expectedValidator } from './expectation.ts';

/** Expected handling of the eATA's permission in a private deposit. */
interface ExpectedReaders {
  /** Whether the transaction must reset the permission (layout A only). */
  readonly resets: boolean;
  readonly differences: readonly Difference[];
  readonly doubts: readonly Doubt[];
}

/** Public deposits ignore the permission. */
const NOT_PRIVATE: ExpectedReaders = { resets: false, differences: [], doubts: [] };

/**
 * Reads an existing permission from the chain. An earlier deposit created it, and its readers may have
 * changed since. On layout A the deposit must reset it if others can read. If it cannot be reset, the deposit
 * is not private.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE if the permission account is not in its program's format.
 */
function expectReaders(
  { owner, permission: address }: DepositAccounts,
  { chain, facts, hints }: ExpectationSource,
): ExpectedReaders {
  const permission = permissionOf(facts, address, owner);
  const found = hints.actions.includes('resetEataPermission');
  if (permission === undefined) {
    const message = `The permission account ${address} was not read, so it is unknown whether anyone other than ${owner} can read the deposit.`;
    return { resets: found, differences: [], doubts: [{ claim: 'private', message }] };
  }
  if (permission === null || isOwnersAlone(permission)) return NOT_PRIVATE;
  if (resetsPermission(chain.layout, permission)) return { ...NOT_PRIVATE, resets: true };
  const difference: Difference = {
    part: 'permission',
    expected: `read only by ${owner}`,
    found: `also read by ${namesOfReaders(permission)}, by permission account ${address}`,
  };
  return { ...NOT_PRIVATE, differences: [difference] };
}

/**
 * Builds the expected wrapping of native SOL. The amounts depend on balances that the builder read earlier,
 * so the transaction's own amounts are accepted up to the maximum ever needed. Amounts above the current need
 * raise a doubt.
 */
export function expectedWrap(
  { hints: { lamportsTo }, facts }: Pick<ExpectationSource, 'hints' | 'facts'>,
  transfer: { readonly mint: Address; readonly ata: Address; readonly wanted: bigint },
): { readonly wrap: WrapNeeds; readonly doubts: readonly Doubt[] } {
  if (transfer.mint !== NATIVE_MINT) return { wrap: NO_WRAP, doubts: [] };
  const wrapLamports = atMost(lamportsTo(transfer.ata), transfer.wanted);
  const rentTopUpLamports = atMost(lamportsTo(RENT_PDA), mostTopUp(facts));
  const needed = facts === null ? NO_WRAP : needsNow(transfer, facts);
  const message = `It wraps ${wrapLamports} lamports of the owner and pays ${rentTopUpLamports} to the rent PDA. This is within the maximum, but only the chain shows whether less would be enough.`;
  const isNeeded = wrapLamports <= needed.wrapLamports && rentTopUpLamports <= needed.rentTopUpLamports;
  return {
    wrap: { wrapLamports, rentTopUpLamports },
    doubts: isNeeded ? [] : [{ claim: 'wrapping', message }],
  };
}

/** Computes the maximum top-up. The hosted API's amount does not depend on the rent. */
function mostTopUp(facts: ChainFacts | null): bigint {
  const rent = decodeRent(facts?.accounts.get(RENT_SYSVAR) ?? null);
  const own = rent === null ? 0n : rentPdaTarget(rent);
  return own > RENT_PDA_TARGET_LAMPORTS ? own : RENT_PDA_TARGET_LAMPORTS;
}

/** Computes the current needs of the wrapping. Unread accounts count as sufficiently funded. */
function needsNow(
  { ata, wanted }: { readonly ata: Address; readonly wanted: bigint },
  { accounts }: ChainFacts,
): WrapNeeds {
  const [source, rentPda] = [accounts.get(ata), accounts.get(RENT_PDA)];
  const rent = decodeRent(accounts.get(RENT_SYSVAR) ?? null) ?? LOCAL_RENT;
  return findWrapNeeds({
    wanted,
    wrapped:
      source === undefined ? wanted : source === null ? 0n : (decodeTokenAccount(source.data)?.amount ?? 0n),
    rentPdaLamports: rentPda === undefined ? rentPdaTarget(rent) : (rentPda?.lamports ?? 0n),
    rent,
  });
}

const atMost = (found: bigint, bound: bigint): bigint => (found > bound ? bound : found);

/** Builds the expected transaction for a deposit. */
export function expectDeposit(input: DepositInput, source: ExpectationSource): Expectation {
  const { chain, hints } = source;
  const { owner, amount } = input;
  const { byShuttle, isPrivate, creates } = depositSwitches(chain.layout, input);
  const mint = input.mint ?? chain.defaultMint;
  const { validator, doubts } = expectedValidator(input.validator, source);
  const accounts = deriveDepositAccounts(owner, mint, hints.tokenProgramOf(mint));
  const reading = isPrivate ? expectReaders(accounts, source) : NOT_PRIVATE;
  const wrapping =
    chain.layout === 'b'
      ? expectedWrap(source, { mint, ata: accounts.ownerAta, wanted: amount })
      : { wrap: NO_WRAP, doubts: [] };
  const instructions = planDeposit(chain.layout, {
    accounts,
    payer: owner,
    amount,
    validator,
    // The builder decides this after checking whether the vault exists.
    creates: { ...creates, vault: creates.vault ?? hints.actions.includes('initVault') },
    permission: isPrivate ? ownersPermission(reading.resets) : null,
    shuttle: byShuttle ? deriveShuttle(accounts, hints.shuttleId ?? 0) : null,
    wrap: wrapping.wrap,
  });
  return {
    sendTo: 'base',
    feePayer: owner,
    instructions,
    claims: { owner, amount: amount.toString(), mint, validator, private: String(isPrivate) },
    doubts: [...doubts, ...wrapping.doubts, ...reading.doubts],
    mints: [mint],
    differences: reading.differences,
  };
}

/** Builds the expected transaction for a withdrawal. */
export function expectWithdraw(input: WithdrawInput, source: ExpectationSource): Expectation {
  const { chain, hints } = source;
  const { owner, mint, amount } = input;
  const accounts = deriveDepositAccounts(owner, mint, hints.tokenProgramOf(mint));
  const base = { accounts, amount, initOwnerAta: input.initAtasIfMissing ?? false };
  const claims = { owner, amount: amount.toString(), mint };
  if (isDirectWithdrawal(chain.layout, input)) {
    const instructions = planDirectWithdraw({
      ...base,
      layout: chain.layout,
      closesOwnerAta: closesOwnerAta(mint, input.idempotent ?? true),
    });
    return { sendTo: 'base', feePayer: owner, instructions, claims, doubts: [], mints: [mint] };
  }
  const { validator, doubts } = expectedValidator(input.validator, source);
  const instructions = planShuttleWithdraw({
    ...base,
    validator,
    shuttle: deriveShuttle(accounts, hints.shuttleId ?? 0),
    initEata: input.initIfMissing ?? true,
  });
  return {
    sendTo: 'base',
    feePayer: owner,
    instructions,
    claims: { ...claims, validator },
    doubts,
    mints: [mint],
  };
}
