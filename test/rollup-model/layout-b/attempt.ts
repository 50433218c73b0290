import type { EmbeddedLedger } from '../../../src/ledger/embedded-ledger.ts';
import type { Keypair } from '../../../src/ledger/keypair.ts';
import type { TransactionRecord } from '../../../src/ledger/ledger.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../../src/programs/addresses.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/instruction.ts';
import { decodeTransaction } from '../../../src/solana/transaction.ts';
import type { Pot, Purse } from './room.ts';

/** Base units by what has so many more. */
export type Moves = readonly (readonly [Pot, bigint])[];

/** What somebody is about to try, and what it moves. */
export interface Draft {
  readonly kind: string;
  readonly where: 'base' | 'rollup';
  /** Who signs; the first pays. */
  readonly signers: readonly [Keypair, ...Keypair[]];
  readonly instructions: readonly Instruction[];
  /** Once it has landed, whatever comes of it. */
  readonly landed?: (record: TransactionRecord) => Moves;
  /** Once it has landed and all that follows from it has come to its end. */
  readonly moves: Moves;
  readonly shuttle?: ShuttleDraft;
}

/** What a shuttle is opened for. */
interface ShuttleDraft {
  /** Its metadata account. */
  readonly address: Address;
  /** What its actions put into, or take out of; they fail where that is not on the rollup. */
  readonly purse: Purse;
  /** Base units they take out of it; 0 for those that put in. */
  readonly takes: bigint;
  /** What is moved when it goes back with what it carries. */
  readonly back: Moves;
}

/** A transaction that was submitted. */
export interface Attempt extends Draft {
  readonly signature: string;
  /** How many writes were durable when it was acknowledged; null before that. */
  acknowledgedAt: number | null;
}

/** Tag `RecoverAndCloseShuttleToOwner` of the ephemeral SPL token program. */
const RECOVERY = 32;

/**
 * What became of a shuttle, as base's history has it: it is still there, it was unloaded on the rollup and
 * closed, or it went back with what it carried.
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
