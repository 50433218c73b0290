import { hash } from 'node:crypto';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { SYSTEM_TABLE, usesDurableNonce } from '../../programs/system.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { viewOf } from '../../solana/byte-reader.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../solana/signature-fee.ts';
import { isStaticKeyWritable, type Transaction } from '../../solana/transaction.ts';
import type { AccountView } from '../state/accounts.ts';

/**
 * A nonce account (`solana-nonce` `Versions`): version u32 (1 = current), state u32 (1 = initialized),
 * authority 32, nonce 32, lamports per signature u64.
 */
export const NONCE_BYTES = 80;
const CURRENT_VERSION = 1;
const INITIALIZED = 1;
const AUTHORITY_AT = 8;
const NONCE_AT = 40;
const LAMPORTS_PER_SIGNATURE_AT = 72;

/** Tags of the system program. The tag of a withdrawal is followed by its lamports. */
const ADVANCE_NONCE_TAG = SYSTEM_TABLE.advanceNonce.tag;
const WITHDRAW_NONCE_TAG = SYSTEM_TABLE.withdrawFromNonce.tag;
const WITHDRAWN_AT = 4;

/** Prefix of the hash, which keeps nonces different from blockhashes (`DURABLE_NONCE_HASH_PREFIX`). */
const NONCE_PREFIX = Buffer.from('DURABLE_NONCE', 'latin1');

/** The nonce account that a transaction uses instead of a recent blockhash. */
export interface UsedNonce {
  readonly address: Address;
  /** The account with its next nonce. It advances even if the transaction fails. */
  readonly advanced: Account;
  /** Whether the nonce account also pays the fee. */
  readonly isFeePayer: boolean;
}

/**
 * Finds the nonce account whose nonce is the blockhash of a transaction; null if there is none or its nonce
 * is not usable now. The first instruction must advance that account, signed by its authority (Agave
 * `check_load_and_advance_message_nonce_account`).
 *
 * @param blockhash the newest blockhash. The next nonce derives from it, so a nonce account advances once per
 *   blockhash.
 */
export function findUsedNonce(
  transaction: Transaction,
  accounts: Pick<AccountView, 'get'>,
  blockhash: Uint8Array,
): UsedNonce | null {
  const address = advancedNonceAddress(transaction);
  const account = address === null ? undefined : accounts.get(address);
  if (address === null || account === undefined || account.owner !== SYSTEM_PROGRAM) return null;
  if (account.data.length < NONCE_BYTES || !isCurrentNonce(account.data)) return null;
  const carried = transaction.wire.subarray(transaction.blockhashAt, transaction.blockhashAt + 32);
  const next = nextNonce(blockhash);
  if (Buffer.compare(carried, nonceOf(account)) !== 0) return null;
  // A nonce from the newest blockhash cannot advance before the next one.
  if (Buffer.compare(carried, next) === 0) return null;
  const authority = addressOf(account.data.subarray(AUTHORITY_AT, AUTHORITY_AT + 32));
  if (!signsFirstInstruction(transaction, authority)) return null;
  const advanced = { ...account, data: advanceNonce(account.data, next) };
  return { address, advanced, isFeePayer: address === transaction.staticKeys[0] };
}

/**
 * Whether an instruction advances or empties a nonce account whose nonce derives from the newest blockhash.
 * The system program rejects both until the blockhash has changed (`NonceBlockhashNotExpired`).
 *
 * @param readBlockhash returns the newest blockhash, 32 bytes. Called only if it is needed.
 */
export function advancesNewNonce(
  { instructions, staticKeys }: Transaction,
  accounts: Pick<AccountView, 'get'>,
  readBlockhash: () => Uint8Array,
): boolean {
  return instructions.some((instruction) => {
    if (staticKeys[instruction.programIdIndex] !== SYSTEM_PROGRAM) return false;
    const tag = tagOf(instruction.data);
    if (tag !== ADVANCE_NONCE_TAG && tag !== WITHDRAW_NONCE_TAG) return false;
    const address = staticKeys[instruction.accounts[0] ?? -1];
    const account = address === undefined ? undefined : accounts.get(address);
    if (account === undefined || account.owner !== SYSTEM_PROGRAM || account.data.length < NONCE_BYTES) {
      return false;
    }
    if (tag === WITHDRAW_NONCE_TAG && withdrawnBy(instruction.data) !== account.lamports) return false;
    if (!isInitializedNonce(account.data)) return false;
    return Buffer.compare(nextNonce(readBlockhash()), nonceOf(account)) === 0;
  });
}

/** Whether the data of a system account (80 bytes) is an initialized nonce account of either version. */
export function isInitializedNonce(data: Uint8Array): boolean {
  const view = viewOf(data);
  return view.getUint32(0, true) <= CURRENT_VERSION && view.getUint32(4, true) === INITIALIZED;
}

function isCurrentNonce(data: Uint8Array): boolean {
  return isInitializedNonce(data) && data[0] === CURRENT_VERSION;
}

/** Returns the account that the first instruction advances; null unless it is a static, writable key. */
function advancedNonceAddress(transaction: Transaction): Address | null {
  if (!usesDurableNonce(transaction)) return null;
  const index = transaction.instructions[0]?.accounts[0];
  if (index === undefined || index >= transaction.staticKeys.length) return null;
  return isStaticKeyWritable(transaction, index) ? (transaction.staticKeys[index] as Address) : null;
}

function signsFirstInstruction(transaction: Transaction, authority: Address): boolean {
  const indices = transaction.instructions[0]?.accounts ?? [];
  for (const index of indices) {
    if (index < transaction.requiredSignatures && transaction.staticKeys[index] === authority) return true;
  }
  return false;
}

/** Returns the instruction tag of the system program; undefined if the data is too short. */
function tagOf(data: Uint8Array): number | undefined {
  return data.length < 4 ? undefined : viewOf(data).getUint32(0, true);
}

function withdrawnBy(data: Uint8Array): bigint | undefined {
  if (data.length < WITHDRAWN_AT + 8) return undefined;
  return viewOf(data).getBigUint64(WITHDRAWN_AT, true);
}

function nonceOf({ data }: Account): Uint8Array {
  return data.subarray(NONCE_AT, NONCE_AT + 32);
}

function nextNonce(blockhash: Uint8Array): Uint8Array {
  return hash('sha256', Buffer.concat([NONCE_PREFIX, blockhash]), 'buffer');
}

function advanceNonce(data: Uint8Array, nonce: Uint8Array): Uint8Array {
  const advanced = new Uint8Array(data);
  advanced.set(nonce, NONCE_AT);
  new DataView(advanced.buffer).setBigUint64(LAMPORTS_PER_SIGNATURE_AT, LAMPORTS_PER_SIGNATURE, true);
  return advanced;
}
