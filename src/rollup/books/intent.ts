import type { AccountView } from '../../ledger/state/account-state.ts';
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
  readSignature,
  signatureField,
} from './fields.ts';
import { type ItemType, readItem } from './item.ts';

/** A call on base that an intent asks for, handed on by the delegation program. */
export interface IntentAction {
  readonly program: Address;
  readonly escrowIndex: number;
  readonly escrowAuthority: Address;
  readonly data: Uint8Array;
  readonly computeUnits: number;
  readonly accounts: readonly AccountUse[];
}

/** A call on the rollup once the outcome of an intent is known. */
export interface IntentCallback {
  readonly actionIndex: number;
  readonly program: Address;
  readonly discriminator: Uint8Array;
  readonly payload: Uint8Array;
  readonly computeUnits: number;
  readonly accounts: readonly AccountUse[];
}

/** An eATA whose amount on the rollup is to be that on base. */
interface IntentCommit {
  readonly eata: Address;
  /** Whether it is given back as well; it is frozen on the rollup then. */
  readonly isUndelegation: boolean;
}

/** A base transaction that was signed and may have been sent. */
interface SentTransaction {
  /** base58. */
  readonly signature: string;
  readonly wire: Uint8Array;
  /** Slot of base when it was signed: it has landed there or later. 0 in books that did not keep it. */
  readonly slot: bigint;
}

/** What a program asked the Magic program to have done on base, as a whole or not at all. */
export interface Intent {
  /** Sequence: the order in which intents were accepted. */
  readonly id: bigint;
  /** base58: the rollup transaction it was asked for in. */
  readonly scheduledBy: string;
  /** The program that called the Magic program. */
  readonly source: Address;
  /** The first account of that call: a wallet, or a queue. */
  readonly payer: Address;
  readonly commits: readonly IntentCommit[];
  /** Delegated accounts without data that are given back with the lamports they hold. */
  readonly lamports: readonly Address[];
  readonly actions: readonly IntentAction[];
  readonly callbacks: readonly IntentCallback[];
  /** The newest base transaction signed for it; null before the first, and once base has refused it. */
  readonly sent: SentTransaction | null;
}

/** An intent that is about to be accepted. */
export type NewIntent = Omit<Intent, 'id' | 'sent'>;

/**
 * Fields: signature it was scheduled by 64, source 32, payer 32, commits (eATA 32, is undelegation u8),
 * lamports (32 each), actions, callbacks, then the base transaction as option (signature 64, wire, slot u64).
 * Lists and bytes stand behind a u32. The slot is missing where an earlier program wrote the item.
 */
export const INTENT: ItemType<Intent> = {
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

/** Which intent gives an account back: by this it is frozen until then. */
interface Hold {
  readonly account: Address;
  readonly intentId: bigint;
}

/** Fields: account 32. The sequence is that of the intent. */
export const HOLD: ItemType<Hold> = {
  kind: 4,
  keyOf: ({ account }) => addressBytes(account),
  sequenceOf: ({ intentId }) => intentId,
  encode: ({ account }) => addressBytes(account),
  decode: (reader, intentId) => ({ account: reader.address(), intentId }),
};

/** The id of the intent that gives an account (an eATA, or a carrier of lamports) back; null for none. */
export function intentHolding(accounts: Pick<AccountView, 'get'>, account: Address): bigint | null {
  return readItem(HOLD, accounts, addressBytes(account))?.intentId ?? null;
}

/** The accounts an intent gives back. */
export function heldBy({ commits, lamports }: Pick<Intent, 'commits' | 'lamports'>): Address[] {
  return [...commits.flatMap(({ eata, isUndelegation }) => (isUndelegation ? [eata] : [])), ...lamports];
}

/** A callback as a field of an item. */
export function callbackField(callback: IntentCallback): Uint8Array {
  return concat(
    Uint8Array.of(callback.actionIndex),
    addressBytes(callback.program),
    bytesField(callback.discriminator),
    bytesField(callback.payload),
    u32(callback.computeUnits),
    vec(callback.accounts.map(accountUseField)),
  );
}

export function readCallback(reader: ByteReader): IntentCallback {
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
  return { signature, wire, slot: reader.remaining > 0 ? reader.u64() : 0n };
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
