import { concat, option, u32, u64, vec } from '../../programs/instruction-data.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import type { ByteReader } from '../../solana/byte-reader.ts';
import {
  type AccountUse,
  accountUseField,
  bytesField,
  readAccountUse,
  readBytes,
  readList,
  readOptionalSignature,
  readSignature,
  signatureField,
} from './fields.ts';
import { type ItemType } from './item.ts';

/** A call on base that an intent requests. The delegation program forwards it. */
export interface IntentAction {
  readonly program: Address;
  readonly escrowIndex: number;
  readonly escrowAuthority: Address;
  readonly data: Uint8Array;
  readonly computeUnits: number;
  readonly accounts: readonly AccountUse[];
}

/** A call on the rollup after the outcome of an intent is known. */
export interface IntentCallback {
  readonly actionIndex: number;
  readonly program: Address;
  readonly discriminator: Uint8Array;
  readonly payload: Uint8Array;
  readonly computeUnits: number;
  readonly accounts: readonly AccountUse[];
}

/** An eATA whose amount on base becomes that on the rollup. */
interface IntentCommit {
  readonly eata: Address;
  /** Whether it is also undelegated. It is frozen on the rollup until then. */
  readonly isUndelegation: boolean;
}

/** A base transaction that was signed and possibly sent. */
interface SentTransaction {
  /** base58. */
  readonly signature: string;
  readonly wire: Uint8Array;
  /** Slot of base when it was signed. The transaction can only land in this slot or later. */
  readonly slot: bigint;
}

/** Work on base that a program requested from the Magic program. It is executed entirely or not at all. */
export interface Intent {
  /** Sequence: the order in which intents were accepted. */
  readonly id: bigint;
  /** Rollup transaction that requested it, base58. */
  readonly scheduledBy: string;
  /** The program that called the Magic program. */
  readonly source: Address;
  /** The first account of that call: a wallet, or a queue. */
  readonly payer: Address;
  readonly commits: readonly IntentCommit[];
  /** Delegated accounts without data that are undelegated with the lamports they hold. */
  readonly lamports: readonly Address[];
  readonly actions: readonly IntentAction[];
  readonly callbacks: readonly IntentCallback[];
  /** Newest base transaction signed for it; null before the first and after base rejected it. */
  readonly sent: SentTransaction | null;
}

/** An intent before it is accepted. */
export type NewIntent = Omit<Intent, 'id' | 'sent'>;

/**
 * Fields: signature it was scheduled by 64, source 32, payer 32, commits (eATA 32, is undelegation u8),
 * lamports (32 each), actions, callbacks, then the base transaction as option (signature 64, wire, slot u64).
 * Lists and bytes follow a u32 length.
 */
export const INTENT: ItemType<Intent, Pick<Intent, 'id'>> = {
  kind: 3,
  keyOf: ({ id }) => u64(id),
  sequenceOf: ({ id }) => id,
  encode: (intent) =>
    concat(
      signatureField(intent.scheduledBy),
      addressBytes(intent.source),
      addressBytes(intent.payer),
      vec(intent.commits.map(({ eata, isUndelegation }) => concat(addressBytes(eata), flag(isUndelegation)))),
      vec(intent.lamports.map(addressBytes)),
      vec(intent.actions.map(encodeAction)),
      vec(intent.callbacks.map(callbackField)),
      option(intent.sent && sentField(intent.sent)),
    ),
  decode: (reader, id) => ({
    id,
    scheduledBy: readSignature(reader),
    source: reader.address(),
    payer: reader.address(),
    commits: readList(reader, () => ({ eata: reader.address(), isUndelegation: reader.bool() })),
    lamports: readList(reader, () => reader.address()),
    actions: readList(reader, () => readAction(reader)),
    callbacks: readList(reader, () => readCallback(reader)),
    sent: reader.option(() => readSent(reader)),
  }),
};

/** Marks an account as frozen until the intent that gives it back has ended. */
interface Hold {
  readonly account: Address;
  readonly intentId: bigint;
}

/** Fields: account 32. The sequence is that of the intent. */
export const HOLD: ItemType<Hold, Pick<Hold, 'account'>> = {
  kind: 4,
  keyOf: ({ account }) => addressBytes(account),
  sequenceOf: ({ intentId }) => intentId,
  encode: ({ account }) => addressBytes(account),
  decode: (reader, intentId) => ({ account: reader.address(), intentId }),
};

/** The accounts an intent gives back. */
export function heldBy({ commits, lamports }: Pick<Intent, 'commits' | 'lamports'>): Address[] {
  return [...commits.flatMap(({ eata, isUndelegation }) => (isUndelegation ? [eata] : [])), ...lamports];
}

function callbackField(callback: IntentCallback): Uint8Array {
  return concat(
    Uint8Array.of(callback.actionIndex),
    addressBytes(callback.program),
    bytesField(callback.discriminator),
    bytesField(callback.payload),
    u32(callback.computeUnits),
    vec(callback.accounts.map(accountUseField)),
  );
}

function readCallback(reader: ByteReader): IntentCallback {
  return {
    actionIndex: reader.u8(),
    program: reader.address(),
    discriminator: readBytes(reader),
    payload: readBytes(reader),
    computeUnits: reader.u32(),
    accounts: readList(reader, () => readAccountUse(reader)),
  };
}

function sentField({ signature, wire, slot }: SentTransaction): Uint8Array {
  return concat(signatureField(signature), bytesField(wire), u64(slot));
}

function readSent(reader: ByteReader): SentTransaction {
  const signature = readSignature(reader);
  const wire = readBytes(reader);
  return { signature, wire, slot: reader.u64() };
}

function encodeAction(action: IntentAction): Uint8Array {
  return concat(
    addressBytes(action.program),
    Uint8Array.of(action.escrowIndex),
    addressBytes(action.escrowAuthority),
    bytesField(action.data),
    u32(action.computeUnits),
    vec(action.accounts.map(accountUseField)),
  );
}

function readAction(reader: ByteReader): IntentAction {
  return {
    program: reader.address(),
    escrowIndex: reader.u8(),
    escrowAuthority: reader.address(),
    data: readBytes(reader),
    computeUnits: reader.u32(),
    accounts: readList(reader, () => readAccountUse(reader)),
  };
}

const flag = (isSet: boolean): Uint8Array => Uint8Array.of(isSet ? 1 : 0);

/** A callback that has not run yet although its intent has ended. */
export interface CallbackCall {
  readonly intentId: bigint;
  /** Index among the intent's callbacks. */
  readonly index: number;
  readonly callback: IntentCallback;
  /** Whether base executed the intent. */
  readonly ok: boolean;
  /** Why base did not; empty if it did. */
  readonly error: string;
  /** Base transaction that executed it, base58; null if none did. */
  readonly receipt: string | null;
}

/** Most callbacks of one intent: an action index is a byte. */
const CALLBACKS_MAX = 256n;

/** Fields: callback, ok u8, error, receipt 64 (zeros for none). The sequence is 256 x intent + index. */
export const CALLBACK_CALL: ItemType<CallbackCall, Pick<CallbackCall, 'intentId' | 'index'>> = {
  kind: 6,
  keyOf: ({ intentId, index }) => concat(u64(intentId), Uint8Array.of(index)),
  sequenceOf: ({ intentId, index }) => intentId * CALLBACKS_MAX + BigInt(index),
  encode: ({ callback, ok, error, receipt }) =>
    concat(
      callbackField(callback),
      Uint8Array.of(ok ? 1 : 0),
      bytesField(Buffer.from(error, 'utf8')),
      signatureField(receipt),
    ),
  decode: (reader, sequence) => ({
    intentId: sequence / CALLBACKS_MAX,
    index: Number(sequence % CALLBACKS_MAX),
    callback: readCallback(reader),
    ok: reader.bool(),
    error: Buffer.from(readBytes(reader)).toString('utf8'),
    receipt: readOptionalSignature(reader),
  }),
};
