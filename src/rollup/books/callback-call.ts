import { concat, u64 } from '../../programs/instruction-data.ts';
import { bytesField, readBytes, readOptionalSignature, signatureField } from './fields.ts';
import { callbackField, type IntentCallback, readCallback } from './intent.ts';
import type { ItemType } from './item.ts';

/** A callback whose intent has ended and that has not run yet. */
export interface CallbackCall {
  readonly intentId: bigint;
  /** Which of the intent's callbacks it is. */
  readonly index: number;
  readonly callback: IntentCallback;
  /** Whether base did what the intent asked for. */
  readonly ok: boolean;
  /** Why not; empty when it did. */
  readonly error: string;
  /** base58: the base transaction that did it; null when none did. */
  readonly receipt: string | null;
}

/** Callbacks of one intent, at most: an action index is a byte. */
const CALLBACKS_MAX = 256n;

/** Fields: callback, ok u8, error, receipt 64 (zeros for none). The sequence is 256 x intent + index. */
export const CALLBACK_CALL: ItemType<CallbackCall> = {
  kind: 6,
  keyOf: (call) => callbackKey(call),
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

/** What a call is found by. */
export function callbackKey({ intentId, index }: Pick<CallbackCall, 'intentId' | 'index'>): Uint8Array {
  return concat(u64(intentId), Uint8Array.of(index));
}
