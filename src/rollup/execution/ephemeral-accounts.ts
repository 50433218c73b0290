import type { Execution } from '../../ledger/ledger.ts';
import type { Outcome } from '../../ledger/run/executor.ts';
import type { AccountView } from '../../ledger/state/accounts.ts';
import { EPHEMERAL_TOKEN_PROGRAM, PERMISSION_PROGRAM } from '../../programs/addresses.ts';
import { deriveGroupReceipt } from '../../programs/ephemeral-token/pdas.ts';
import { QUEUE_TABLE } from '../../programs/ephemeral-token/table/queue.ts';
import { decodeFields } from '../../programs/instruction-table/field-codec.ts';
import { decodeMagicCall } from '../../programs/magic/magic-call.ts';
import { derivePermission } from '../../programs/permission/state.ts';
import { type Account, RENT_EXEMPT_EPOCH, rentExemptMinimum } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { CompiledInstruction, Transaction } from '../../solana/transaction.ts';
import { type Entry, itemEntry } from '../books/item.ts';
import { EPHEMERAL } from '../books/items.ts';
import type { MagicProgramCall } from './magic-calls.ts';

/** The private payment programs. The rollup executes only their calls to the Magic program. */
export const PAYMENT_PROGRAMS: ReadonlySet<Address> = new Set([EPHEMERAL_TOKEN_PROGRAM, PERMISSION_PROGRAM]);

/** Maximum bytes that a program can request at once (Agave `MAX_PERMITTED_DATA_INCREASE`). */
const DATA_BYTES_MAX = 10_240;

/** The sponsor of each supplied account. Account objects are replaced, never modified. */
const sponsors = new WeakMap<Account, Address>();

/**
 * Returns the missing ephemeral accounts that a run asked the Magic program to create
 * (`CreateEphemeralAccount`: sponsor, account, vault). The placeholder for the Magic program creates nothing,
 * so the accounts must exist before the run, zeroed and owned by the calling program. On MagicBlock's
 * validator they have no lamports. Here an account without lamports does not exist, so they get the
 * rent-exempt minimum, which is created and destroyed with them.
 */
export function missingAccounts(
  calls: readonly MagicProgramCall[],
  accounts: Pick<AccountView, 'get'>,
): Entry[] {
  return calls.flatMap(({ caller, accounts: [sponsor, address], data }) => {
    const call = PAYMENT_PROGRAMS.has(caller) ? decodeMagicCall(data) : null;
    if (call?.kind !== 'createAccount' || call.dataBytes > DATA_BYTES_MAX) return [];
    if (sponsor === undefined || address === undefined || accounts.get(address) !== undefined) return [];
    const account = {
      lamports: rentExemptMinimum(call.dataBytes),
      owner: caller,
      data: new Uint8Array(call.dataBytes),
      executable: false,
      rentEpoch: RENT_EXEMPT_EPOCH,
    };
    sponsors.set(account, sponsor);
    return [[address, account] as const];
  });
}

/** Returns the book entries for the accounts of {@link missingAccounts} that a run used. */
export function madeEntries(
  transaction: Transaction,
  addresses: readonly Address[],
  { supplied, after, execution }: Pick<Outcome, 'supplied' | 'after' | 'execution'>,
): Entry[] {
  if (supplied === undefined) return [];
  const payers = paymentPayers(transaction, addresses, execution);
  return [...supplied].flatMap(([address, account]) => {
    const sponsor = sponsors.get(account);
    if (sponsor === undefined || after[addresses.indexOf(address)] === undefined) return [];
    const reader = payers.get(address) ?? null;
    return [itemEntry(EPHEMERAL, { address, sponsor, program: account.owner, reader })];
  });
}

const { tag: QUEUE_TRANSFER, accounts: ACCOUNTS } = QUEUE_TABLE.queueTransferWithPermission;

const at = (wanted: string): number => ACCOUNTS.findIndex(({ role }) => role === wanted);

const QUEUE_AT = at('queue');
const OWNER_AT = at('owner');
/** The accounts a payment may create: its receipt, and the receipt's permission. */
const RECEIPT_AT = at('receipt');
const PERMISSION_AT = at('receiptPermission');

/** The first fields of the data, after the tag of one byte: amount u64, group id u24. */
const { amount, groupId } = QUEUE_TABLE.queueTransferWithPermission.fields;
const FIRST_FIELDS = { amount, groupId };
const FIELDS_FROM = 1;
const FIELDS_TO = 12;

/**
 * Finds the wallets that paid into a queue during a run, keyed by the accounts their payments created. The
 * ephemeral token program derives the receipt from the wallet and the permission from the receipt, so no
 * address belongs to two wallets. Additional accounts of a call are skipped, because the program ignores
 * them.
 */
export function paymentPayers(
  { instructions }: Pick<Transaction, 'instructions'>,
  addresses: readonly Address[],
  { innerInstructions }: Pick<Execution, 'innerInstructions'>,
): ReadonlyMap<Address, Address> {
  const payers = new Map<Address, Address>();
  const all = [...instructions, ...innerInstructions.flatMap((each) => each.instructions)];
  for (const { programIdIndex, accounts, data } of all as readonly CompiledInstruction[]) {
    if (addresses[programIdIndex] !== EPHEMERAL_TOKEN_PROGRAM || data[0] !== QUEUE_TRANSFER) continue;
    const named = (place: number): Address | undefined => addresses[accounts[place] ?? -1];
    const payer = named(OWNER_AT);
    const receipt = receiptOf(named(QUEUE_AT), payer, data);
    if (payer === undefined || receipt === null || named(RECEIPT_AT) !== receipt) continue;
    payers.set(receipt, payer);
    const permission = derivePermission(receipt).address;
    if (named(PERMISSION_AT) === permission) payers.set(permission, payer);
  }
  return payers;
}

/** Returns the receipt of a payment; null if the call is invalid. */
function receiptOf(queue: Address | undefined, payer: Address | undefined, data: Uint8Array): Address | null {
  const fields = decodeFields(FIRST_FIELDS, data.subarray(FIELDS_FROM, FIELDS_TO));
  if (queue === undefined || payer === undefined || fields === null) return null;
  return deriveGroupReceipt(queue, payer, fields.groupId).address;
}
