import { decodeBase58 } from '../parts/encodings.ts';
import type { Ledger } from '../parts/reader.ts';
import { PROGRAMS } from '../parts/programs.ts';
import {
  factsOf,
  instructionsOf,
  type ParsedInstruction,
  type ParsedTransaction,
} from './parsed-transaction.ts';

/** The kind of a transaction. */
export type DeedKind =
  /** The faucet gave SOL, or tokens. */
  | 'airdrop'
  | 'deposit'
  /** Requested the return of an account from the rollup. */
  | 'undelegation'
  /** The validator returned an eATA, or wrote its balance to base. */
  | 'settlement'
  | 'withdrawal'
  | 'payment'
  | 'other';

/** A summary of a transaction, from the response that one reader got. */
export interface Deed {
  readonly kind: DeedKind;
  readonly ledger: Ledger;
  readonly signature: string;
  readonly slot: number;
  /** Seconds since 1970; null if unknown. */
  readonly time: number | null;
  /** Base units, or lamports if `mint` is null; null if no amount can be read. */
  readonly amount: bigint | null;
  readonly mint: string | null;
  /** Token accounts, or wallets of SOL. */
  readonly from: string | null;
  readonly to: string | null;
  readonly memo: string | null;
  readonly feeLamports: bigint;
  readonly feePayer: string;
  readonly computeUnits: number | null;
  /** Whether the transaction landed and failed. */
  readonly hasFailed: boolean;
}

/** First data byte of instructions of the ephemeral token program (`src/programs/ephemeral-token/table`). */
const DEPOSIT = 2;
const WITHDRAW = 3;
const UNDELEGATE = 5;
/** The first data byte of the delegation program's commit; an eATA's state begins at byte 29 of its data. */
const COMMIT_STATE = 1;
const COMMITTED_AT = 29;
/** Offset of the amount in an eATA, after owner and mint. */
const EATA_AMOUNT_AT = 64;

interface Movement {
  readonly amount: bigint;
  readonly mint: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * Summarizes a transaction.
 *
 * @param eata selects the account if a settlement has several.
 */
export function deedOf(ledger: Ledger, transaction: ParsedTransaction, eata: string | null): Deed {
  const instructions = instructionsOf(transaction);
  const [kind, movement] = kindOf(instructions, eata);
  const { meta, slot, blockTime } = transaction;
  return {
    kind,
    ledger,
    slot,
    time: blockTime,
    signature: transaction.transaction.signatures[0] ?? '',
    amount: movement?.amount ?? null,
    mint: movement?.mint ?? null,
    from: movement?.from ?? null,
    to: movement?.to ?? null,
    memo: kind === 'settlement' ? null : memoOf(instructions),
    feeLamports: BigInt(meta?.fee ?? 0),
    feePayer: transaction.transaction.message.accountKeys[0]?.pubkey ?? '',
    computeUnits: meta?.computeUnitsConsumed ?? null,
    hasFailed: meta !== null && meta.err !== null,
  };
}

function kindOf(
  instructions: readonly ParsedInstruction[],
  eata: string | null,
): [DeedKind, Movement | null] {
  const calls = new Set(
    instructions
      .filter(({ programId }) => programId === PROGRAMS.ephemeralToken)
      .map((call) => firstByte(call)),
  );
  const moved = movementOf(instructions);
  if (calls.has(DEPOSIT)) return ['deposit', moved];
  if (calls.has(WITHDRAW)) return ['withdrawal', moved];
  const committed = instructions.filter(
    (call) => call.programId === PROGRAMS.delegation && firstByte(call) === COMMIT_STATE,
  );
  if (committed.length > 0) return ['settlement', committedOf(committed, eata)];
  if (calls.has(UNDELEGATE)) return ['undelegation', null];
  if (calls.size > 0 || moved === null) return ['other', moved];
  return [moved.from === null || moved.mint === null ? 'airdrop' : 'payment', moved];
}

const firstByte = ({ data }: ParsedInstruction): number | undefined =>
  data === undefined ? undefined : decodeBase58(data)?.[0];

/** The first token transfer, or the first SOL transfer if no tokens move. */
function movementOf(instructions: readonly ParsedInstruction[]): Movement | null {
  let lamports: Movement | null = null;
  for (const instruction of instructions) {
    const facts = factsOf(instruction);
    if (facts === null) continue;
    const { type, info } = facts;
    if (/^(transfer|transferChecked|mintTo|mintToChecked)$/.test(type) && !('lamports' in info)) {
      const amount = amountOf(info);
      if (amount === null) continue;
      const from = type.startsWith('mintTo') ? null : text(info['source']);
      return {
        amount,
        mint: text(info['mint']) ?? '',
        from,
        to: text(info['destination'] ?? info['account']),
      };
    }
    if (type === 'transfer' && lamports === null) {
      const amount = wholeOf(info['lamports']);
      if (amount !== null && amount > 0n) {
        lamports = { amount, mint: null, from: text(info['source']), to: text(info['destination']) };
      }
    }
  }
  return lamports;
}

function amountOf(info: Readonly<Record<string, unknown>>): bigint | null {
  const checked = info['tokenAmount'];
  if (typeof checked === 'object' && checked !== null && 'amount' in checked) return wholeOf(checked.amount);
  return wholeOf(info['amount']);
}

/** Reads an unsigned integer without loss of precision; null for anything else. */
export function wholeOf(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : null;
  return typeof value === 'string' && /^\d{1,20}$/.test(value) ? BigInt(value) : null;
}

/** The balance that the validator wrote to base for one account. */
function committedOf(commits: readonly ParsedInstruction[], eata: string | null): Movement | null {
  const one = eata === null ? commits[0] : commits.find(({ accounts }) => accounts?.[1] === eata);
  const data = one?.data === undefined ? null : decodeBase58(one.data);
  const at = COMMITTED_AT + EATA_AMOUNT_AT;
  if (data === null || data === undefined || data.length < at + 8) return null;
  const amount = new DataView(data.buffer, data.byteOffset).getBigUint64(at, true);
  return { amount, mint: null, from: null, to: one?.accounts?.[1] ?? null };
}

/** The memo of a transaction. Nodes parse memo instructions into text. */
function memoOf(instructions: readonly ParsedInstruction[]): string | null {
  for (const { programId, parsed } of instructions) {
    if (programId.startsWith('Memo') && typeof parsed === 'string') return parsed;
  }
  return null;
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
