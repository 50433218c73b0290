import { Unparsable, type ByteReader } from '../../solana/byte-reader.ts';
import { writable, writableSigner } from '../instruction-table/account-spec.ts';
import { u32, u64, type FieldCodec } from '../instruction-table/field-codec.ts';
import { instructionTable } from '../instruction-table/instruction-spec.ts';
import { concat, u32 as u32Bytes } from '../instruction-data.ts';
import { decodeMagicCall, MAGIC_TAG } from './magic-call.ts';
import { MAGIC } from './table.ts';

/** Arguments that are not taken apart here: what `decodeMagicCall` reads behind a tag. */
const argumentsOf = (tag: number): FieldCodec<Uint8Array> => ({
  read: (reader: ByteReader) => {
    const data = reader.take(reader.remaining);
    if (decodeMagicCall(concat(u32Bytes(tag), data)) === null) throw new Unparsable('not the arguments');
    return data;
  },
  write: (value) => value,
});

export const BUNDLE_ARGUMENTS = argumentsOf(MAGIC_TAG.scheduleIntentBundle);
export const TASK_ARGUMENTS = argumentsOf(MAGIC_TAG.scheduleTask);
export const CALLBACK_ARGUMENTS = argumentsOf(MAGIC_TAG.addActionCallback);

const taskAccounts = [writableSigner('authority'), writable('taskContext')] as const;

/** Instructions of the Magic program (`MagicBlockInstruction`) that programs send, and validators. */
export const MAGIC_PROGRAM_TABLE = instructionTable(MAGIC, {
  scheduleTask: {
    tag: MAGIC_TAG.scheduleTask,
    accounts: taskAccounts,
    more: 'taskAccount',
    fields: { task: TASK_ARGUMENTS },
  },
  /** The id is an i64, whose bits are read as u64. */
  cancelTask: { tag: MAGIC_TAG.cancelTask, accounts: taskAccounts, fields: { taskId: u64 } },
  /** Makes transactions differ that are the same but for it. */
  noop: { tag: MAGIC_TAG.noop, accounts: [], fields: { mark: u64 } },
  scheduleIntentBundle: {
    tag: MAGIC_TAG.scheduleIntentBundle,
    accounts: [writableSigner('payer'), writable('magicContext')],
    more: 'account',
    fields: { bundle: BUNDLE_ARGUMENTS },
  },
  createEphemeralAccount: {
    tag: MAGIC_TAG.createEphemeralAccount,
    accounts: [writableSigner('sponsor'), writableSigner('account'), writable('ephemeralVault')],
    fields: { dataBytes: u32 },
  },
  closeEphemeralAccount: {
    tag: MAGIC_TAG.closeEphemeralAccount,
    accounts: [writableSigner('sponsor'), writable('account'), writable('ephemeralVault')],
  },
  addActionCallback: {
    tag: MAGIC_TAG.addActionCallback,
    accounts: [writableSigner('payer'), writable('magicContext'), writable('magicFeeVault')],
    fields: { callback: CALLBACK_ARGUMENTS },
  },
});
