import type { Execution } from '../../ledger/execution.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveGroupReceipt } from '../../programs/ephemeral-token/pdas.ts';
import { QUEUE_TABLE } from '../../programs/ephemeral-token/table/queue.ts';
import { decodeFields } from '../../programs/instruction-table/fields.ts';
import { derivePermission } from '../../programs/permission/state.ts';
import type { Address } from '../../solana/address.ts';
import type { CompiledInstruction, Transaction } from '../../solana/transaction.ts';

const { tag: QUEUE_TRANSFER, accounts: ACCOUNTS } = QUEUE_TABLE.queueTransferWithPermission;

const at = (wanted: string): number => ACCOUNTS.findIndex(({ role }) => role === wanted);

const QUEUE_AT = at('queue');
const OWNER_AT = at('owner');
/** What a payment may have made for it: its receipt, and the permission of that. */
const RECEIPT_AT = at('receipt');
const PERMISSION_AT = at('receiptPermission');

/** The fields that data begin with, behind the tag of one byte: amount u64, group id u24. */
const { amount, groupId } = QUEUE_TABLE.queueTransferWithPermission.fields;
const FIRST_FIELDS = { amount, groupId };
const FIELDS_FROM = 1;
const FIELDS_TO = 12;

/**
 * The wallets whose payments into a queue a run had carried out, by the accounts that such a payment has
 * made, whether the transaction or a program asked for it. The ephemeral token program derives the receipt
 * from the wallet, and the permission from the receipt: an address is never that of two wallets. A call can
 * name further accounts, which the program does not look at: those of somebody else say nothing.
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

/** The receipt that the program makes for a payment; null where the call makes no sense. */
function receiptOf(queue: Address | undefined, payer: Address | undefined, data: Uint8Array): Address | null {
  const fields = decodeFields(FIRST_FIELDS, data.subarray(FIELDS_FROM, FIELDS_TO));
  if (queue === undefined || payer === undefined || fields === null) return null;
  return deriveGroupReceipt(queue, payer, fields.groupId).address;
}
