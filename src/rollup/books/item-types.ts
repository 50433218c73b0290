import { concat, option, u32, u64, vec } from '../../programs/instruction-data.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import {
  bytesField,
  instructionField,
  readBytes,
  readInstruction,
  readList,
  readOptionalSignature,
  readSignature,
  signatureField,
} from './fields.ts';
import type { ItemType } from './item.ts';

/** A request to undelegate an eATA. Until it is settled, the tokens of the eATA do not move on the rollup. */
export interface SettlementRequest {
  /** Position in the order of acceptance. */
  readonly sequence: bigint;
  readonly eata: Address;
  /** Rollup transaction of the undelegation, base58. */
  readonly undelegation: string;
  /** Newest settlement transaction signed for it on base, base58; null before the first. */
  readonly signature: string | null;
}

/** Fields: eATA 32, signature of the undelegation 64, signature on base 64 (zeros for none). */
export const REQUEST: ItemType<SettlementRequest, Pick<SettlementRequest, 'eata'>> = {
  kind: 2,
  keyOf: ({ eata }) => addressBytes(eata),
  sequenceOf: ({ sequence }) => sequence,
  encode: ({ eata, undelegation, signature }) =>
    concat(addressBytes(eata), signatureField(undelegation), signatureField(signature)),
  decode: (reader, sequence) => ({
    sequence,
    eata: reader.address(),
    undelegation: readSignature(reader),
    signature: readOptionalSignature(reader),
  }),
};

/** Instructions that a program asked the rollup to run repeatedly. */
export interface CrankTask {
  /** i64, chosen by the program. */
  readonly taskId: bigint;
  /** The account that may cancel it: for a transfer queue, the queue. */
  readonly authority: Address;
  readonly intervalMs: number;
  readonly iterationsLeft: bigint;
  readonly instructions: readonly Instruction[];
}

const taskIdField = (taskId: bigint): Uint8Array => u64(BigInt.asUintN(64, taskId));

/** Fields: task id i64, authority 32, interval u32 ms, iterations left i64, instructions. */
export const TASK: ItemType<CrankTask, Pick<CrankTask, 'taskId'>> = {
  kind: 5,
  keyOf: ({ taskId }) => taskIdField(taskId),
  sequenceOf: () => 0n,
  encode: ({ taskId, authority, intervalMs, iterationsLeft, instructions }) =>
    concat(
      taskIdField(taskId),
      addressBytes(authority),
      u32(intervalMs),
      u64(BigInt.asUintN(64, iterationsLeft)),
      vec(instructions.map(instructionField)),
    ),
  decode: (reader) => ({
    taskId: reader.i64(),
    authority: reader.address(),
    intervalMs: reader.u32(),
    iterationsLeft: reader.i64(),
    instructions: readList(reader, () => readInstruction(reader)),
  }),
};

/** An account that exists on the rollup only. */
export interface EphemeralAccount {
  readonly address: Address;
  /** The account that requested it and may close it. */
  readonly sponsor: Address;
  /** The program that owns it. */
  readonly program: Address;
  /** The wallet that alone may read it; null if nobody may. */
  readonly reader: Address | null;
}

/** Fields: address 32, sponsor 32, program 32, reader as option 32. */
export const EPHEMERAL: ItemType<EphemeralAccount, Pick<EphemeralAccount, 'address'>> = {
  kind: 7,
  keyOf: ({ address }) => addressBytes(address),
  sequenceOf: () => 0n,
  encode: ({ address, sponsor, program, reader }) =>
    concat(
      addressBytes(address),
      addressBytes(sponsor),
      addressBytes(program),
      option(reader && addressBytes(reader)),
    ),
  decode: (reader) => ({
    address: reader.address(),
    sponsor: reader.address(),
    program: reader.address(),
    reader: reader.option(() => reader.address()),
  }),
};

/** A delegation whose actions on the rollup have failed permanently. Its tokens are returned on base. */
export interface Rescue {
  /** The delegated account, an eATA of a shuttle. */
  readonly account: Address;
  /** Why its actions failed. */
  readonly reason: string;
  /** Newest base transaction signed for it, base58; null before the first. */
  readonly signature: string | null;
}

/** Fields: account 32, signature on base 64 (zeros for none), reason. */
export const RESCUE: ItemType<Rescue, Pick<Rescue, 'account'>> = {
  kind: 8,
  keyOf: ({ account }) => addressBytes(account),
  sequenceOf: () => 0n,
  encode: ({ account, reason, signature }) =>
    concat(addressBytes(account), signatureField(signature), bytesField(Buffer.from(reason, 'utf8'))),
  decode: (reader) => ({
    account: reader.address(),
    signature: readOptionalSignature(reader),
    reason: Buffer.from(readBytes(reader)).toString('utf8'),
  }),
};
