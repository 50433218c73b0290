import type { SignatureStatus } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { FINAL_BLOCKS, ROLLUP_FINAL_BLOCKS } from '../../chain/final-blocks.ts';
import type { SettlementLedger } from '../payment-follower.ts';

/** Returns a random integer from 0 to `below` - 1. */
export type Draw = (below: number) => number;

/** What a ledger reads from a transaction. */
interface ReadTransaction {
  readonly signature: string;
  /** The last height at which it can land. */
  readonly lastValidHeight: number;
}

/** A transaction that the leaders have. */
interface Broadcast {
  readonly signature: string;
  /** Height at which it lands. */
  readonly height: number;
  readonly err: unknown;
}

/** Block times, in ms. */
const BLOCK_MS = { base: 400, rollup: 50 } as const;

/** Exclusive upper limit of a node's lag, in blocks. */
const LAG_BLOCKS = { base: FINAL_BLOCKS, rollup: ROLLUP_FINAL_BLOCKS } as const;

/** Maximum delay before a transaction is in a block, in ms. */
const DELAY_MS_MAX = 18_000;

/**
 * A ledger whose node answers late, wrongly or not at all, within what a node can do: it may be behind by
 * less than {@link LAG_BLOCKS}, lose or repeat what it was sent, and report any failure.
 */
export class ScriptedLedger implements SettlementLedger {
  /** Whether the node answers correctly. */
  isHonest = false;
  readonly #kind: keyof typeof BLOCK_MS;
  readonly #draw: Draw;
  readonly #nowMs: () => number;
  readonly #read: (wire: Uint8Array) => ReadTransaction;
  readonly #broadcasts: Broadcast[] = [];
  /** The signatures of all wires that the node received. */
  readonly received = new Map<string, string>();

  /** @param nowMs returns the time since the first block, in ms. */
  constructor(
    kind: keyof typeof BLOCK_MS,
    draw: Draw,
    nowMs: () => number,
    read: (wire: Uint8Array) => ReadTransaction,
  ) {
    this.#kind = kind;
    this.#draw = draw;
    this.#nowMs = nowMs;
    this.#read = read;
  }

  get height(): number {
    return Math.floor(this.#nowMs() / BLOCK_MS[this.#kind]);
  }

  /** The outcome of the transaction with this signature at a height; null if it has not landed. */
  outcomeOf(signature: string, height = this.height): SignatureStatus | null {
    const [first] = this.#broadcasts
      .filter((each) => each.signature === signature && each.height <= height)
      .sort((a, b) => a.height - b.height);
    return first === undefined ? null : { slot: first.height, err: first.err };
  }

  async blockHeight(): Promise<number> {
    this.#mayFail();
    return Math.max(0, this.height - this.#lag());
  }

  async signatureStatus(signature: string): Promise<SignatureStatus | null> {
    this.#mayFail();
    return this.outcomeOf(signature, this.height - this.#lag());
  }

  async sendTransaction(bytes: Uint8Array): Promise<string> {
    const transaction = this.#read(bytes);
    const { signature } = transaction;
    this.received.set(Buffer.from(bytes).toString('base64'), signature);
    if (this.isHonest || this.#draw(3) > 0) this.#broadcast(transaction);
    this.#mayFail();
    if (!this.isHonest && this.#draw(8) === 0)
      throw new ServiceError('TRANSACTION_FAILED', 'the node says that it failed');
    return this.isHonest || this.#draw(8) > 0 ? signature : 'another signature';
  }

  /** Lets a transaction land later, unless its blockhash expires first. */
  #broadcast({ signature, lastValidHeight }: ReadTransaction): void {
    const height = this.height + 1 + this.#draw(DELAY_MS_MAX / BLOCK_MS[this.#kind]);
    if (height > lastValidHeight) return;
    const err = this.#draw(6) === 0 ? { InstructionError: [2, { Custom: 1 }] } : null;
    this.#broadcasts.push({ signature, height, err });
  }

  /** Returns how far the answering node is behind, in blocks: zero, the maximum, or a random number. */
  #lag(): number {
    if (this.isHonest) return 0;
    const blocks = LAG_BLOCKS[this.#kind];
    return [0, blocks - 1, this.#draw(blocks)][this.#draw(3)] as number;
  }

  #mayFail(): void {
    if (!this.isHonest && this.#draw(5) === 0)
      throw new ServiceError('UPSTREAM_TIMEOUT', 'the node did not answer');
  }
}
