import { type ByteReader, Unparsable } from '../../solana/byte-reader.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { MAGIC_PROGRAM } from '../addresses.ts';
import { concat, u32 as u32Bytes } from '../instruction-data.ts';
import { writable, writableSigner } from '../instruction-table/account-spec.ts';
import { encode } from '../instruction-table/encode.ts';
import { type FieldCodec, u32, u64 } from '../instruction-table/field-codec.ts';
import { instructionTable, type ProgramSpec } from '../instruction-table/instruction-spec.ts';
import { decodeMagicCall, MAGIC_TAG } from './magic-call.ts';

export const MAGIC: ProgramSpec = { address: MAGIC_PROGRAM, name: 'Magic program', tagBytes: 4 };

const accounts = [writableSigner('payer'), writable('magicContext')] as const;

/** Instructions of a rollup's Magic program (`MagicBlockInstruction`) that users send. */
export const MAGIC_TABLE = instructionTable(MAGIC, {
  scheduleCommit: { tag: 1, accounts, more: 'account' },
  scheduleCommitAndUndelegate: { tag: 2, accounts, more: 'account' },
});

/** Creates the codec for the arguments as raw bytes. `decodeMagicCall` decodes them with the tag. */
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

/** Instructions of the Magic program (`MagicBlockInstruction`) that programs and validators send. */
export const MAGIC_PROGRAM_TABLE = instructionTable(MAGIC, {
  scheduleTask: {
    tag: MAGIC_TAG.scheduleTask,
    accounts: taskAccounts,
    more: 'taskAccount',
    fields: { task: TASK_ARGUMENTS },
  },
  /** The id is an i64 whose bits are read as a u64. */
  cancelTask: { tag: MAGIC_TAG.cancelTask, accounts: taskAccounts, fields: { taskId: u64 } },
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

/** Does nothing. A different `mark` (u64) makes a transaction unique. */
export const noop = (mark: bigint): Instruction => encode(MAGIC_PROGRAM_TABLE.noop, {}, { mark });
