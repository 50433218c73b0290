import { concat } from '../../programs/instruction-data.ts';
import type { Address } from '../../solana/address.ts';
import type { AccountMeta, Instruction } from '../../solana/instruction.ts';
import {
  address,
  bool,
  bytes,
  type Codec,
  i64,
  list,
  optional,
  signature,
  signatureOrZeros,
  struct,
  text,
  u8,
  u32,
  u64,
} from './codec.ts';
import type { ItemType } from './item.ts';

/** A request to undelegate an eATA. The eATA's tokens are frozen on the rollup until it is settled. */
export interface SettlementRequest {
  /** Position in the order of acceptance. */
  readonly sequence: bigint;
  readonly eata: Address;
  /** Rollup transaction of the undelegation, base58. */
  readonly undelegation: string;
  /** Newest settlement transaction signed on base for the request, base58; null before the first. */
  readonly signature: string | null;
}

export const REQUEST: ItemType<SettlementRequest, 'eata', 'sequence'> = {
  kind: 2,
  keyOf: ({ eata }) => address.write(eata),
  sequence: { of: ({ sequence }) => sequence, fields: (sequence) => ({ sequence }) },
  fields: struct({ eata: address, undelegation: signature, signature: signatureOrZeros }),
};

/** An account passed to an action or a callback. */
interface AccountUse {
  readonly address: Address;
  readonly isWritable: boolean;
}

const accountUse = struct<AccountUse>({ address, isWritable: bool });

/** A call on base that an intent requests. The delegation program forwards it. */
export interface IntentAction {
  readonly program: Address;
  readonly escrowIndex: number;
  readonly escrowAuthority: Address;
  readonly data: Uint8Array;
  readonly computeUnits: number;
  readonly accounts: readonly AccountUse[];
}

const action = struct<IntentAction>({
  program: address,
  escrowIndex: u8,
  escrowAuthority: address,
  data: bytes,
  computeUnits: u32,
  accounts: list(accountUse),
});

/** A call on the rollup that reports the outcome of an intent. */
export interface IntentCallback {
  readonly actionIndex: number;
  readonly program: Address;
  readonly discriminator: Uint8Array;
  readonly payload: Uint8Array;
  readonly computeUnits: number;
  readonly accounts: readonly AccountUse[];
}

const callback = struct<IntentCallback>({
  actionIndex: u8,
  program: address,
  discriminator: bytes,
  payload: bytes,
  computeUnits: u32,
  accounts: list(accountUse),
});

/** An eATA whose rollup amount is written to base. */
interface IntentCommit {
  readonly eata: Address;
  /** Whether the eATA is also undelegated. If so, the eATA is frozen on the rollup until then. */
  readonly isUndelegation: boolean;
}

/** A base transaction that was signed and possibly sent. */
interface SentTransaction {
  /** The signature, base58. */
  readonly signature: string;
  readonly wire: Uint8Array;
  /** Slot of base when the transaction was signed. The transaction can land only in this slot or later. */
  readonly slot: bigint;
}

/** Work on base that a program requested from the Magic program. It runs entirely or not at all. */
export interface Intent {
  /** Sequence number, in the order of acceptance. */
  readonly id: bigint;
  /** Rollup transaction that requested the intent, base58. */
  readonly scheduledBy: string;
  /** The program that called the Magic program. */
  readonly source: Address;
  /** The first account of the call to the Magic program: a wallet or a queue. */
  readonly payer: Address;
  readonly commits: readonly IntentCommit[];
  /** Delegated accounts without data, which are undelegated with their lamports. */
  readonly lamports: readonly Address[];
  readonly actions: readonly IntentAction[];
  readonly callbacks: readonly IntentCallback[];
  /** Newest base transaction of the intent; null before the first and after base rejected it. */
  readonly sent: SentTransaction | null;
}

/** An intent before it is accepted. */
export type NewIntent = Omit<Intent, 'id' | 'sent'>;

export const INTENT: ItemType<Intent, 'id', 'id'> = {
  kind: 3,
  keyOf: ({ id }) => u64.write(id),
  sequence: { of: ({ id }) => id, fields: (id) => ({ id }) },
  fields: struct({
    scheduledBy: signature,
    source: address,
    payer: address,
    commits: list(struct<IntentCommit>({ eata: address, isUndelegation: bool })),
    lamports: list(address),
    actions: list(action),
    callbacks: list(callback),
    sent: optional(struct<SentTransaction>({ signature, wire: bytes, slot: u64 })),
  }),
};

/** Marks an account as frozen until the intent that returns it has ended. */
interface Hold {
  readonly account: Address;
  readonly intentId: bigint;
}

export const HOLD: ItemType<Hold, 'account', 'intentId'> = {
  kind: 4,
  keyOf: ({ account }) => address.write(account),
  sequence: { of: ({ intentId }) => intentId, fields: (intentId) => ({ intentId }) },
  fields: struct({ account: address }),
};

/** Returns the accounts that an intent returns to base. */
export function heldBy({ commits, lamports }: Pick<Intent, 'commits' | 'lamports'>): Address[] {
  return [...commits.flatMap(({ eata, isUndelegation }) => (isUndelegation ? [eata] : [])), ...lamports];
}

/** A pending callback of an intent that has ended. */
export interface CallbackCall {
  readonly intentId: bigint;
  /** Index among the intent's callbacks. */
  readonly index: number;
  readonly callback: IntentCallback;
  /** Whether base executed the intent. */
  readonly ok: boolean;
  /** The reason if base did not execute the intent; otherwise empty. */
  readonly error: string;
  /** Base transaction that executed the intent, base58; null if there is none. */
  readonly receipt: string | null;
}

/** Maximum number of callbacks per intent: an action index is one byte. */
const CALLBACKS_MAX = 256n;

export const CALLBACK_CALL: ItemType<CallbackCall, 'intentId' | 'index', 'intentId' | 'index'> = {
  kind: 6,
  keyOf: ({ intentId, index }) => concat(u64.write(intentId), u8.write(index)),
  sequence: {
    of: ({ intentId, index }) => intentId * CALLBACKS_MAX + BigInt(index),
    fields: (sequence) => ({
      intentId: sequence / CALLBACKS_MAX,
      index: Number(sequence % CALLBACKS_MAX),
    }),
  },
  fields: struct({ callback, ok: bool, error: text, receipt: signatureOrZeros }),
};

/** Instructions that a program scheduled to run repeatedly. */
export interface CrankTask {
  /** The id of the task, i64, chosen by the program. */
  readonly taskId: bigint;
  /** The account that may cancel the task. For a transfer queue's task, this is the queue. */
  readonly authority: Address;
  readonly intervalMs: number;
  readonly iterationsLeft: bigint;
  readonly instructions: readonly Instruction[];
}

const SIGNER = 1;
const WRITABLE = 2;

const accountMeta: Codec<AccountMeta> = {
  write: (meta) =>
    concat(
      address.write(meta.address),
      u8.write((meta.signer ? SIGNER : 0) | (meta.writable ? WRITABLE : 0)),
    ),
  read: (reader) => {
    const named = reader.address();
    const flags = reader.u8();
    return { address: named, signer: (flags & SIGNER) !== 0, writable: (flags & WRITABLE) !== 0 };
  },
};

export const TASK: ItemType<CrankTask, 'taskId'> = {
  kind: 5,
  keyOf: ({ taskId }) => i64.write(taskId),
  fields: struct({
    taskId: i64,
    authority: address,
    intervalMs: u32,
    iterationsLeft: i64,
    instructions: list(struct<Instruction>({ programId: address, accounts: list(accountMeta), data: bytes })),
  }),
};

/** An account that exists only on the rollup. */
export interface EphemeralAccount {
  readonly address: Address;
  /** The account that requested this account and may close it. */
  readonly sponsor: Address;
  /** The program that owns the account. */
  readonly program: Address;
  /** The only wallet that may read the account; null if no wallet may. */
  readonly reader: Address | null;
}

export const EPHEMERAL: ItemType<EphemeralAccount, 'address'> = {
  kind: 7,
  keyOf: (account) => address.write(account.address),
  fields: struct({ address, sponsor: address, program: address, reader: optional(address) }),
};

/** A delegation whose actions on the rollup have failed permanently. Its tokens are returned on base. */
export interface Rescue {
  /** The delegated account, an eATA of a shuttle. */
  readonly account: Address;
  /** Newest base transaction of the rescue, base58; null before the first. */
  readonly signature: string | null;
  /** The reason why its actions failed. */
  readonly reason: string;
}

export const RESCUE: ItemType<Rescue, 'account'> = {
  kind: 8,
  keyOf: ({ account }) => address.write(account),
  fields: struct({ account: address, signature: signatureOrZeros, reason: text }),
};
