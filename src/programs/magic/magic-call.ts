import type { Address } from '../../solana/address.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import { ByteReader, tryParse, Unparsable } from '../../solana/byte-reader.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { findPda } from '../../solana/pda.ts';
import { concat, option, textSeed, u32, u64 } from '../instruction-data.ts';

/** An account of an action or a callback, and whether the called program may write to it. */
interface NamedAccount {
  readonly address: Address;
  readonly isWritable: boolean;
}

/** An instruction to run on base (`BaseActionArgs`). Indices are into the accounts of the call. */
interface BaseAction {
  readonly program: Address;
  readonly escrowIndex: number;
  readonly escrowAuthorityIndex: number;
  readonly data: Uint8Array;
  readonly computeUnits: number;
  readonly accounts: readonly NamedAccount[];
}

/** A program's request that the validator write accounts to base immediately (`MagicIntentBundleArgs`). */
export interface IntentBundle {
  readonly kind: 'bundle';
  /** Indices of the accounts whose state is committed. */
  readonly commits: readonly number[];
  /** Indices of the accounts that are committed and undelegated. */
  readonly undelegations: readonly number[];
  /** The actions in execution order. */
  readonly actions: readonly BaseAction[];
}

/** A repeating task (`ScheduleTaskArgs`). */
export interface ScheduleTask {
  readonly kind: 'task';
  readonly taskId: bigint;
  readonly intervalMs: bigint;
  readonly iterations: bigint;
  readonly instructions: readonly Instruction[];
}

/** The program to notify of an action's outcome (`AddActionCallbackArgs`). */
export interface ActionCallback {
  readonly kind: 'callback';
  readonly actionIndex: number;
  readonly program: Address;
  readonly discriminator: Uint8Array;
  readonly payload: Uint8Array;
  readonly computeUnits: number;
  readonly accounts: readonly NamedAccount[];
}

type MagicCall =
  | { readonly kind: 'undelegation' }
  | ScheduleTask
  | { readonly kind: 'cancelTask'; readonly taskId: bigint }
  | { readonly kind: 'noop' }
  | IntentBundle
  | { readonly kind: 'createAccount'; readonly dataBytes: number }
  | { readonly kind: 'closeAccount' }
  | ActionCallback;

/** The supported tags (u32) of `MagicBlockInstruction` in magicblock-validator 0.14.10. */
export const MAGIC_TAG = {
  scheduleCommitAndUndelegate: 2,
  scheduleTask: 6,
  cancelTask: 7,
  noop: 10,
  scheduleIntentBundle: 11,
  createEphemeralAccount: 12,
  closeEphemeralAccount: 14,
  addActionCallback: 23,
} as const;

/** Size of an address and its u8 flag, in bytes. */
const NAMED_ACCOUNT_BYTES = 33;
/** Sizes of an account meta, and of an instruction without accounts and data. */
const META_BYTES = 34;
const INSTRUCTION_BYTES_MIN = 48;
const ACTION_BYTES_MIN = 54;

const READERS: Readonly<Record<number, (reader: ByteReader) => MagicCall>> = {
  [MAGIC_TAG.scheduleCommitAndUndelegate]: () => ({ kind: 'undelegation' }),
  [MAGIC_TAG.scheduleTask]: readTask,
  [MAGIC_TAG.cancelTask]: (reader) => ({ kind: 'cancelTask', taskId: reader.i64() }),
  [MAGIC_TAG.noop]: (reader) => (reader.u64(), { kind: 'noop' }),
  [MAGIC_TAG.scheduleIntentBundle]: readBundle,
  [MAGIC_TAG.createEphemeralAccount]: (reader) => ({ kind: 'createAccount', dataBytes: reader.u32() }),
  [MAGIC_TAG.closeEphemeralAccount]: () => ({ kind: 'closeAccount' }),
  [MAGIC_TAG.addActionCallback]: readCallback,
};

/** Decodes a Magic program instruction (bincode: lengths u64, variants u32, options u8); null for others. */
export function decodeMagicCall(data: Uint8Array): MagicCall | null {
  return (
    tryParse(() => {
      const reader = new ByteReader(data);
      const call = READERS[reader.u32()]?.(reader) ?? null;
      if (reader.remaining > 0) throw new Unparsable('bytes after the instruction');
      return call;
    }) ?? null
  );
}

function readTask(reader: ByteReader): ScheduleTask {
  return {
    kind: 'task',
    taskId: reader.i64(),
    intervalMs: reader.i64(),
    iterations: reader.i64(),
    instructions: reader.list(INSTRUCTION_BYTES_MIN, () => ({
      programId: reader.address(),
      accounts: reader.list(META_BYTES, () => ({
        address: reader.address(),
        signer: reader.bool(),
        writable: reader.bool(),
      })),
      data: readBytes(reader),
    })),
  };
}

/** Reads commits with their actions, then undelegations with their actions, then standalone actions. */
function readBundle(reader: ByteReader): IntentBundle {
  const commit = reader.option(() => readCommit(reader));
  const undelegation = reader.option(() => readUndelegation(reader));
  const finalized = reader.option(() => readCommit(reader));
  const finalUndelegation = reader.option(() => readUndelegation(reader));
  const parts = [commit, undelegation, finalized, finalUndelegation];
  const indicesOf = (which: readonly (CommitPart | null)[]) => which.flatMap((part) => part?.indices ?? []);
  return {
    kind: 'bundle',
    commits: indicesOf([commit, finalized]),
    undelegations: indicesOf([undelegation, finalUndelegation]),
    actions: [...parts.flatMap((part) => part?.actions ?? []), ...readActions(reader)],
  };
}

interface CommitPart {
  readonly indices: readonly number[];
  readonly actions: readonly BaseAction[];
}

/** Reads `CommitTypeArgs`: variant 0 has the accounts, variant 1 also has actions after the commit. */
function readCommit(reader: ByteReader): CommitPart {
  const hasActions = readVariant(reader) === 1;
  const indices = [...readBytes(reader)];
  return { indices, actions: hasActions ? readActions(reader) : [] };
}

/** Reads `CommitAndUndelegateArgs`: a commit, then 0, or 1 and actions after the undelegation. */
function readUndelegation(reader: ByteReader): CommitPart {
  const { indices, actions } = readCommit(reader);
  return { indices, actions: readVariant(reader) === 1 ? [...actions, ...readActions(reader)] : actions };
}

function readVariant(reader: ByteReader): 0 | 1 {
  const variant = reader.u32();
  if (variant > 1) throw new Unparsable('an unknown variant');
  return variant as 0 | 1;
}

function readActions(reader: ByteReader): BaseAction[] {
  return reader.list(ACTION_BYTES_MIN, () => ({
    escrowIndex: reader.u8(),
    data: readBytes(reader),
    computeUnits: reader.u32(),
    escrowAuthorityIndex: reader.u8(),
    program: reader.address(),
    accounts: readNamed(reader),
  }));
}

function readCallback(reader: ByteReader): ActionCallback {
  return {
    kind: 'callback',
    actionIndex: reader.u8(),
    program: reader.address(),
    discriminator: readBytes(reader),
    payload: readBytes(reader),
    computeUnits: reader.u32(),
    accounts: readNamed(reader),
  };
}

function readNamed(reader: ByteReader): NamedAccount[] {
  return reader.list(NAMED_ACCOUNT_BYTES, () => ({ address: reader.address(), isWritable: reader.bool() }));
}

function readBytes(reader: ByteReader): Uint8Array {
  return reader.take(reader.count64(1));
}

/** The program whose PDA signs callbacks (`magicblock-magic-program-api` `CALLBACK_PROGRAM_ID`). */
const CALLBACK_PROGRAM = 'CaLLback11111111111111111111111111111111111' as Address;

/** The signer of callbacks: seed "callback-executor" of the callback program. */
export const CALLBACK_SIGNER: Address = findPda([textSeed('callback-executor')], CALLBACK_PROGRAM).address;

/** The outcome of an action, as its callback receives it. */
interface MagicResponse {
  readonly ok: boolean;
  /** Data that the program attached to the callback. */
  readonly payload: Uint8Array;
  readonly error: string;
  /** Signature of the base transaction, base58; null if there is none. */
  readonly receipt: string | null;
}

/**
 * Encodes a response (bincode `MagicResponse::V1`: variant u32 = 0, ok u8, payload Vec, error String, receipt
 * as Option of a signature of 64; lengths u64).
 */
export function encodeMagicResponse({ ok, payload, error, receipt }: MagicResponse): Uint8Array {
  const text = Buffer.from(error, 'utf8');
  return concat(
    u32(0),
    Uint8Array.of(ok ? 1 : 0),
    u64(BigInt(payload.length)),
    payload,
    u64(BigInt(text.length)),
    text,
    option(receipt === null ? null : decodeBase58(receipt)),
  );
}
