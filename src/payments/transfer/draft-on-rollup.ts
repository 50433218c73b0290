import { ServiceError } from '../../errors/service-error.ts';
import type { Random } from '../../ports/random.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { GROUP_ID_MAX } from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { deriveEata, deriveGroupReceipt } from '../../programs/ephemeral-token/pdas.ts';
import { derivePermission } from '../../programs/permission/state.ts';
import { RENT_SYSVAR } from '../../programs/sysvars.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { forBeingPaid, readTokenAccount } from '../accounts/token-account.ts';
import { queueAccountsOf, recentCrankStatus } from '../accounts/transfer-queue.ts';
import type { Warning } from '../building/built-transaction.ts';
import { warnOfArrival } from '../building/warnings.ts';
import { RENT_PDA, requireRent } from '../fees/costs.ts';
import { type EataStatus, eataStatusOf, isSettlingOn, stillSettling } from '../rollup-state/eata-status.ts';
import { requireRollupBalance } from '../rollup-state/rollup-balance.ts';
import { requireQueue } from './base-accounts.ts';
import { unreadRecipient } from './input.ts';
import { planEphemeral, planEphemeralToBase } from './plan.ts';
import { paymentOf, type TransferDraft, type TransferTask } from './request.ts';
import {
  requireSponsor,
  warnOfIdleQueue,
  warnOfPayoutRent,
  warnOfRecipient,
  warnOfSender,
} from './warnings.ts';

interface RollupParty {
  readonly owner: Address;
  readonly eata: Address;
  readonly status: EataStatus;
  readonly isSettling: boolean;
}

/** @throws {ServiceError} EATA_SETTLING if the sender's tokens are returning to base. */
function requireSender(sender: RollupParty): void {
  if (!isReturning(sender)) return;
  throw stillSettling(sender, 'nothing can be paid from it', 'then pay on base, or deposit again');
}

/**
 * Rejects a recipient without an account on this rollup. On layout A the sender cannot open one for someone
 * else. On layout B the caller is only warned, because the hosted API builds such transfers.
 *
 * @throws {ServiceError} EATA_SETTLING, EATA_NOT_DELEGATED, EATA_DELEGATED_ELSEWHERE.
 */
function requireRecipient(
  { chain, facts }: TransferTask,
  recipient: RollupParty,
  validator: Address | null,
): void {
  const { owner, eata, status } = recipient;
  if (isReturning(recipient)) {
    throw stillSettling(recipient, 'nothing can be paid into it', 'then have its owner deposit again');
  }
  if (chain.layout === 'b') return;
  const known = { field: 'to', eata, owner };
  if (status.at !== 'rollup') {
    throw new ServiceError(
      'EATA_NOT_DELEGATED',
      `The recipient ${owner} has no account of mint ${facts.mint} on the rollup, so the transfer would fail: have the recipient deposit first (spl.deposit; any amount will do), or pay on base (fromBalance and toBalance "base", visibility "public")`,
      known,
    );
  }
  if (status.validator === validator) return;
  const other = status.validator ?? 'an unknown validator';
  throw new ServiceError(
    'EATA_DELEGATED_ELSEWHERE',
    `The account of mint ${facts.mint} of the recipient ${owner} is delegated to ${other} and not to ${validator}. Only ${other} can return it. The recipient can then deposit here. Otherwise, pay another wallet of the recipient`,
    { ...known, validator: other },
  );
}

const isReturning = ({ status, isSettling }: RollupParty): boolean => status.at === 'rollup' && isSettling;

/**
 * Drafts a transfer between two accounts of the rollup. Their delegations on base show that they exist. A
 * validator projects ATAs from base with their current owners.
 *
 * @param validator null accepts any rollup.
 * @param token the caller's bearer token, for the sender's balance.
 * @throws {ServiceError} EATA_SETTLING; EATA_BALANCE_TOO_LOW if the rollup shows that the sender has less;
 *   SPONSOR_UNAVAILABLE if the sponsor could not receive its fee; TOKEN_ACCOUNT_OWNER_MISMATCH if the
 *   recipient's ATA belongs to someone else; on layout A also the errors of {@link requireRecipient}.
 */
export async function draftEphemeral(
  task: TransferTask,
  validator: Address | null,
  token: string | undefined,
): Promise<TransferDraft> {
  const { request, facts } = task;
  const { from, to } = request;
  const { mint, tokenProgram } = facts;
  const ata = deriveAta(to, mint, tokenProgram).address;
  const { parties, others } = await readParties(task, [from, to, ...sponsorOf(task)], [ata]);
  const [sender, recipient, sponsor] = parties as [RollupParty, RollupParty, RollupParty?];
  requireSender(sender);
  requireSponsor(sponsor?.status ?? null, validator);
  requireRecipient(task, recipient, validator);
  // If a hidden balance is too low, the transfer fails on the rollup and costs nothing.
  await requireSenderBalance(task, sender, token);
  const recipientAta = { ata, owner: to, mint, tokenProgram };
  const arrivesIn = readTokenAccount(recipientAta, others[0] ?? null, forBeingPaid);
  const advice = 'have the recipient deposit first, or the transaction fails.';
  return rollupDraft(planEphemeral(paymentOf(task), ata), [
    ...warnOfSender(from, sender.status, validator),
    ...warnOfRecipient(to, recipient.status, validator, advice),
    ...warnOfArrival({ ...recipientAta, decimals: facts.decimals, memoAdvice: null }, arrivesIn),
  ]);
}

async function requireSenderBalance(
  { chain, request, facts, sourceAta: ata }: TransferTask,
  { owner, status }: RollupParty,
  token: string | undefined,
): Promise<Warning[]> {
  if (status.at !== 'rollup') return [];
  const { mint, tokenProgram, decimals } = facts;
  const source = { ata, owner, mint, tokenProgram };
  const { validator } = status;
  const payment = { chain, what: 'the transfer', source, validator, taken: request.sums.debited, decimals };
  return await requireRollupBalance(payment, token);
}

/**
 * Drafts a private transfer from the rollup to base.
 *
 * @param token the caller's bearer token, for the sender's balance.
 * @throws {ServiceError} EATA_SETTLING, EATA_BALANCE_TOO_LOW, SPONSOR_UNAVAILABLE,
 *   TRANSFER_QUEUE_NOT_INITIALIZED.
 */
export async function draftEphemeralToBase(
  task: TransferTask,
  validator: Address,
  token: string | undefined,
): Promise<TransferDraft> {
  const { chain, random, request, facts } = task;
  const { from, to, terms } = request;
  const { queue } = queueAccountsOf(facts.mint, validator, facts.tokenProgram);
  const [{ parties, others }, crank] = await Promise.all([
    readParties(task, [from, ...sponsorOf(task)], [queue, RENT_PDA, RENT_SYSVAR]),
    recentCrankStatus(chain, queue, { mint: facts.mint, validator }),
  ]);
  const [sender, sponsor] = parties as [RollupParty, RollupParty?];
  requireSender(sender);
  requireSponsor(sponsor?.status ?? null, validator);
  requireQueue(task, validator, others[0] ?? null);
  const balance = await requireSenderBalance(task, sender, token);
  const groupId = drawGroupId(random);
  const receipt = deriveGroupReceipt(queue, from, groupId).address;
  // The permission hides the receipt from everyone else.
  const receiptPermission = derivePermission(receipt).address;
  return rollupDraft(
    planEphemeralToBase(paymentOf(task), {
      to,
      validator,
      queue,
      receipt,
      receiptPermission,
      groupId,
      terms,
    }),
    [
      ...warnOfSender(from, sender.status, validator),
      ...balance,
      ...warnOfPayoutRent(others[1] ?? null, requireRent(others[2] ?? null), task),
      ...warnOfIdleQueue(queue, crank),
    ],
    [unreadRecipient(to)],
  );
}

/** Drafts a rollup transaction. It costs no lamports, because an undelegated payer has none on the rollup. */
const rollupDraft = (
  instructions: TransferDraft['instructions'],
  warnings: readonly Warning[],
  notes: readonly string[] = [],
): TransferDraft => ({
  instructions,
  warnings,
  notes,
  lookupTable: null,
  payerLamports: 0n,
});

const sponsorOf = ({ request }: TransferTask): Address[] =>
  request.sponsor === null ? [] : [request.sponsor.address];

/** Reads the states of these owners' eATAs and other accounts, in order and at one slot. */
async function readParties(
  { chain, facts }: TransferTask,
  owners: readonly Address[],
  others: readonly Address[] = [],
): Promise<{ parties: RollupParty[]; others: (Account | null)[] }> {
  const eatas = owners.map((owner) => deriveEata(owner, facts.mint).address);
  const records = eatas.map((eata) => deriveDelegationRecord(eata).address);
  // Read the rollup together with base. A later read might no longer report an undelegation that this read of
  // base does not show yet.
  const [settling, accounts] = await Promise.all([
    Promise.all(eatas.map((eata) => isSettlingOn(chain, eata))),
    chain.getAccounts([...eatas, ...records, ...others]),
  ]);
  const accountAt = (index: number): Account | null => accounts[index] ?? null;
  return {
    parties: owners.map((owner, index) => {
      const eata = eatas[index] as Address;
      const [account, record] = [accountAt(index), accountAt(eatas.length + index)];
      const isSettling = settling[index] === true;
      return { owner, eata, status: eataStatusOf(eata, account, record, chain.layout), isSettling };
    }),
    others: others.map((_, index) => accountAt(2 * eatas.length + index)),
  };
}

/** Maximum number of draws. With sound randomness, one in 2^24 draws must be repeated. */
const DRAWS_MAX = 4;

/** Draws a group id: 3 bytes, little-endian, never 0. */
function drawGroupId(random: Random): number {
  for (let draw = 0; draw < DRAWS_MAX; draw++) {
    const id = Buffer.from(random.bytes(3)).readUIntLE(0, 3) & GROUP_ID_MAX;
    if (id !== 0) return id;
  }
  throw new Error(`${DRAWS_MAX} group ids in a row were 0: the random source repeats itself`);
}
