import { type Keypair, signTransaction } from '../../ledger/keypair.ts';
import { readTokenAmount } from '../../ledger/state/accounts.ts';
import type { TransactionError } from '../../ledger/transaction-errors.ts';
import { EPHEMERAL_TOKEN_PROGRAM, MAGIC_CONTEXT, MAGIC_PROGRAM } from '../../programs/addresses.ts';
import { deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { decodeDelegationRecord } from '../../programs/delegation/state.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { decodeBase58, encodeBase58 } from '../../solana/base58.ts';
import { viewOf } from '../../solana/byte-reader.ts';
import { readonly, writable, writableSigner } from '../../solana/instruction.ts';
import { compileLegacyMessage } from '../../solana/message.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { type BooksView, endedIntentEntries } from '../books/books.ts';
import { deletedItem, type Entry } from '../books/item.ts';
import {
  type CallbackCall,
  heldBy,
  type Intent,
  type IntentCallback,
  RESCUE,
  type SettlementRequest,
} from '../books/items.ts';
import { eataDataWith, type Projection } from '../projection/projections.ts';
import type { BaseLedger } from '../rollup-context.ts';
import type { Ledgers } from './claims.ts';

interface Ending {
  /** The accounts that are no longer delegated. */
  readonly returned: readonly Address[];
  readonly entries: readonly Entry[];
  /** The validator's transaction that announces the settlement; null if there is none. */
  readonly announcement: { readonly transaction: Transaction; readonly logs: readonly string[] } | null;
}

interface EndingContext extends Pick<Ledgers, 'rollup' | 'projections'> {
  readonly validator: Keypair;
}

/**
 * Yields the changes for open items of the books whose base transactions have landed. Apply each change
 * before requesting the next.
 *
 * @param hasLanded whether base executed the transaction with a signature (base58) successfully; `intent` is
 *   set if it was signed for one.
 */
export function* endings(
  books: BooksView,
  hasLanded: (signature: string, intent?: Intent) => boolean,
  { validator, ...ledgers }: EndingContext,
): Iterable<Ending> {
  for (const request of books.requests()) {
    const { eata, signature } = request;
    if (signature === null || ledgers.projections.ofEata(eata) === undefined || !hasLanded(signature))
      continue;
    const transaction = signConfirmation(request, { validator, baseGenesisHash: books.baseGenesisHash });
    const logs = confirmationLogs(validator.address, eata, signature);
    yield { returned: [eata], entries: [], announcement: { transaction, logs } };
  }
  for (const intent of books.intents()) {
    if (intent.sent === null || !hasLanded(intent.sent.signature, intent)) continue;
    yield {
      returned: heldBy(intent),
      entries: executedEntries(intent, intent.sent.signature, ledgers),
      announcement: null,
    };
  }
  for (const { account, signature } of books.rescues()) {
    if (signature === null || !hasLanded(signature)) continue;
    yield { returned: [], entries: [deletedItem(RESCUE, { account })], announcement: null };
  }
}

/** `MagicBlockInstruction::ScheduledCommitSent` (u32). The 64 bytes after it are this project's own. */
const SCHEDULED_COMMIT_SENT = 4;

/**
 * Signs the validator's rollup transaction that confirms that an eATA is undelegated on base. It depends only
 * on the undelegation, so its signature is known in advance. The genesis hash of base replaces the blockhash.
 * The rollup never accepts that hash, so no one else can submit the transaction.
 */
export function signConfirmation(
  { eata, undelegation }: Pick<SettlementRequest, 'eata' | 'undelegation'>,
  { validator, baseGenesisHash }: { readonly validator: Keypair; readonly baseGenesisHash: string },
): Transaction {
  const data = Buffer.alloc(68);
  data.writeUInt32LE(SCHEDULED_COMMIT_SENT);
  data.set(decodeBase58(undelegation), 4);
  const accounts = [writableSigner(validator.address), writable(MAGIC_CONTEXT), readonly(eata)];
  const message = compileLegacyMessage({
    feePayer: validator.address,
    blockhash: decodeBase58(baseGenesisHash),
    instructions: [{ programId: MAGIC_PROGRAM, accounts, data }],
  });
  return signTransaction(message, [validator]);
}

/** Returns the log line that names the confirmation, in the format MagicBlock's clients search for. */
export function announceConfirmation(confirmation: Transaction): string {
  return `ScheduledCommitSent signature: ${encodeBase58(confirmation.signatures[0] as Uint8Array)}`;
}

/**
 * Returns the log lines of the confirmation, in the same format.
 *
 * @param signature the base transaction, base58.
 */
function confirmationLogs(payer: Address, eata: Address, signature: string): string[] {
  return [
    `ScheduledCommitSent payer: ${payer}`,
    `ScheduledCommitSent included: [${eata}]`,
    'ScheduledCommitSent excluded: []',
    `ScheduledCommitSent signature[0]: ${signature}`,
    'ScheduledCommitSent requested undelegation',
  ];
}

type CallbackResult = Pick<CallbackCall, 'ok' | 'error' | 'receipt'>;

/** The result of an action that was dropped from its intent. */
const GIVEN_UP: CallbackResult = { ok: false, error: 'base rejected it repeatedly', receipt: null };

/**
 * Returns the entries for an intent that base executed in a transaction (base58 signature). They are in the
 * same commit as the end of its delegations. Dropped actions are no longer part of the intent.
 */
function executedEntries(
  intent: Intent,
  signature: string,
  ledgers: Pick<Ledgers, 'rollup' | 'projections'>,
): readonly Entry[] {
  const done: CallbackResult = { ok: true, error: '', receipt: signature };
  const calls = callsOf(intent, ({ actionIndex }) => (actionIndex < intent.actions.length ? done : GIVEN_UP));
  return [...endedIntentEntries(intent, calls), ...(paidOutEntries(payoutsOf(intent), ledgers) ?? [])];
}

/** Returns the entries for an intent that base rejected. They unfreeze its accounts. */
export function rejectedEntries(intent: Intent, error: string): readonly Entry[] {
  return endedIntentEntries(
    intent,
    callsOf(intent, () => ({ ok: false, error, receipt: null })),
  );
}

function callsOf(
  { id, callbacks }: Intent,
  resultOf: (callback: IntentCallback) => CallbackResult,
): CallbackCall[] {
  return callbacks.map((callback, index) => ({ intentId: id, index, callback, ...resultOf(callback) }));
}

/** Tag of `ExecuteReadyQueuedTransfer`. Data: tag u8, escrow index u8, amount u64, flags u8, ... */
const PAYOUT = 202;
const AMOUNT_AT = 2;
const FLAGS_AT = 10;
/** Accounts: vault, mint, ... */
const MINT_AT = 1;

interface Payout {
  readonly queue: Address;
  readonly mint: Address;
  /** Amount, in base units. */
  readonly amount: bigint;
}

/**
 * Returns the payments of an intent from vaults on behalf of queues. Only intents of the ephemeral token
 * program contain payouts, because no other program can request them.
 */
export function payoutsOf({ source, actions }: Pick<Intent, 'source' | 'actions'>): readonly Payout[] {
  if (source !== EPHEMERAL_TOKEN_PROGRAM) return [];
  return actions.flatMap(({ program, escrowAuthority, data, accounts }) => {
    const mint = accounts[MINT_AT]?.address;
    const isPayout = program === EPHEMERAL_TOKEN_PROGRAM && data[0] === PAYOUT && data.length > FLAGS_AT;
    if (!isPayout || mint === undefined) return [];
    return [{ queue: escrowAuthority, mint, amount: viewOf(data).getBigUint64(AMOUNT_AT, true) }];
  });
}

/** Returns the projection that holds the tokens of a queue; undefined if there is none. */
export function projectionOfQueue(
  { queue, mint }: Payout,
  projections: Ledgers['projections'],
): Projection | undefined {
  return projections.ofEata(deriveEata(queue, mint).address);
}

/**
 * Returns the entries that subtract the vault's payments from the queues' tokens on the rollup, so the vault
 * still covers all projections. Returns null if a queue has less than it must pay.
 */
export function paidOutEntries(
  payouts: readonly Payout[],
  { rollup, projections }: Pick<Ledgers, 'rollup' | 'projections'>,
): readonly Entry[] | null {
  const left = new Map<Projection, bigint>();
  for (const payout of payouts) {
    const projection = projectionOfQueue(payout, projections);
    const held = projection && (left.get(projection) ?? tokensIn(rollup.get(projection.ata)));
    if (projection === undefined || held === undefined || held < payout.amount) return null;
    left.set(projection, held - payout.amount);
  }
  return [...left].flatMap(([{ ata, eata }, amount]) =>
    [ata, eata].flatMap((address) => {
      const account = rollup.get(address);
      return account === undefined ? [] : [[address, withAmount(account, amount)] as const];
    }),
  );
}

const tokensIn = (account: Account | undefined): bigint =>
  account === undefined ? 0n : readTokenAmount(account.data);

/** Sets an amount. Token accounts and eATAs have it at the same offset. */
const withAmount = (account: Account, amount: bigint): Account => ({
  ...account,
  data: eataDataWith(account.data, amount),
});

/**
 * The outcome of the newest base transaction of an intent. It is `open` if there is none or it has not
 * landed, and `unknown` if neither the history nor the accounts of base show it.
 */
type SentOutcome =
  | { readonly kind: 'open' | 'carried out' | 'unknown' }
  | { readonly kind: 'refused'; readonly err: TransactionError };

const OPEN: SentOutcome = { kind: 'open' };

/**
 * Determines the outcome of the base transaction of an intent from base's history. Base's accounts show it if
 * the transaction is older than the history and returns accounts. Only the validator undelegates, and an
 * intent is executed entirely or not at all. A payment leaves no such evidence.
 */
export function outcomeOf(
  intent: Pick<Intent, 'sent' | 'commits' | 'lamports'>,
  base: Pick<BaseLedger, 'state' | 'historyStart' | 'getTransaction'>,
): SentOutcome {
  const { sent } = intent;
  if (sent === null) return OPEN;
  const record = base.getTransaction(sent.signature);
  if (record !== null) {
    return record.err === null ? { kind: 'carried out' } : { kind: 'refused', err: record.err };
  }
  if (sent.slot >= BigInt(base.historyStart())) return OPEN;
  const held = heldBy(intent);
  const unchanged = held.filter((account) => isUnchangedSince(sent.slot, account, base));
  if (held.length === 0 || (unchanged.length > 0 && unchanged.length < held.length))
    return { kind: 'unknown' };
  return unchanged.length > 0 ? OPEN : { kind: 'carried out' };
}

/** Whether the account's delegation has not changed since a slot of base. */
function isUnchangedSince(slot: bigint, account: Address, base: Pick<BaseLedger, 'state'>): boolean {
  const record = decodeDelegationRecord(base.state().get(deriveDelegationRecord(account).address) ?? null);
  return record !== null && record.delegationSlot <= slot;
}
