import type { EmbeddedLedger } from '../../../src/ledger/embedded-ledger.ts';
import type { Keypair } from '../../../src/ledger/keypair.ts';
import type { TransactionRecord } from '../../../src/ledger/ledger.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../../src/programs/addresses.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/instruction.ts';
import { decodeTransaction } from '../../../src/solana/transaction.ts';
import type { Pot, Purse } from './room.ts';

/** Balance changes by pot, in base units. */
export type Moves = readonly (readonly [Pot, bigint])[];

/** A planned operation with its effects. */
export interface Draft {
  readonly kind: string;
  readonly where: 'base' | 'rollup';
  /** The signers. The first one pays. */
  readonly signers: readonly [Keypair, ...Keypair[]];
  readonly instructions: readonly Instruction[];
  /** Effects of landing, even if later steps fail. */
  readonly landed?: (record: TransactionRecord) => Moves;
  /** Effects after it has landed and all later steps are complete. */
  readonly moves: Moves;
  readonly shuttle?: ShuttleDraft;
}

/** The purpose of a shuttle. */
interface ShuttleDraft {
  /** Its metadata account. */
  readonly address: Address;
  /** The purse that its actions change. They fail if it is not on the rollup. */
  readonly purse: Purse;
  /** Base units that the actions withdraw from it; 0 for deposits. */
  readonly takes: bigint;
  /** Effects if it is returned with its tokens. */
  readonly back: Moves;
}

/** A transaction that was submitted. */
export interface Attempt extends Draft {
  readonly signature: string;
  /** Number of durable writes at its acknowledgement; null before that. */
  acknowledgedAt: number | null;
}

/** Tag `RecoverAndCloseShuttleToOwner` of the ephemeral SPL token program. */
const RECOVERY = 32;

/**
 * Returns a shuttle's state by the history of base: open, closed after unloading, or returned.
 */
export function endOfShuttle(
  base: Pick<EmbeddedLedger, 'getAccount' | 'signaturesFor'>,
  shuttle: Address,
): 'open' | 'closed' | 'back' {
  if (base.getAccount(shuttle) !== null) return 'open';
  const records = base.signaturesFor({ address: shuttle, limit: 1_000 });
  return records.some(({ err, wire }) => err === null && hasRecovery(wire)) ? 'back' : 'closed';
}

function hasRecovery(wire: Uint8Array): boolean {
  const { instructions, staticKeys } = decodeTransaction(wire);
  return instructions.some(
    ({ programIdIndex, data }) =>
      staticKeys[programIdIndex] === EPHEMERAL_TOKEN_PROGRAM && data[0] === RECOVERY,
  );
}
