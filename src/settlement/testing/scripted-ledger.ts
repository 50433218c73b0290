import type { SignatureStatus } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { FINAL_BLOCKS } from '../../chain/final-blocks.ts';
import type { SettlementLedger } from '../payment-follower.ts';

/** Returns a random integer from 0 to `below` - 1. */
export type Draw = (below: number) => number;

/** A transaction that the leaders have. */
interface Broadcast {
  readonly wire: string;
  /** Height at which it lands. */
  readonly height: number;
  readonly err: unknown;
}

const BLOCK_MS = 400;

/** The longest way of a transaction to a block, in blocks. */
const DELAY_BLOCKS_MAX = 45;

/**
 * A ledger whose node answers late, wrongly or not at all, within what a node can do: it may be behind by
 * less than {@link FINAL_BLOCKS}, lose or repeat what it was sent, and report any failure.
 */
export class ScriptedLedger implements SettlementLedger {
  /** Whether the node answers correctly. */
  isHonest = false;
  nowMs = 0;
  readonly #draw: Draw;
  readonly #lastValidHeight: number;
  readonly #broadcasts: Broadcast[] = [];
  /** All wires that the node received. */
  readonly received = new Set<string>();

  constructor(draw: Draw, lastValidHeight: number) {
    this.#draw = draw;
    this.#lastValidHeight = lastValidHeight;
  }

  get height(): number {
    return Math.floor(this.nowMs / BLOCK_MS);
  }

  /** The outcome of the transaction with this signature at a height; null if it has not landed. */
  outcomeOf(signature: string, height = this.height): SignatureStatus | null {
    const [first] = this.#broadcasts
      .filter((each) => signatureOf(each.wire) === signature && each.height <= height)
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
    const wire = Buffer.from(bytes).toString();
    this.received.add(wire);
    if (this.isHonest || this.#draw(3) > 0) this.#broadcast(wire);
    this.#mayFail();
    if (!this.isHonest && this.#draw(8) === 0)
      throw new ServiceError('TRANSACTION_FAILED', 'the node says that it failed');
    return this.isHonest || this.#draw(8) > 0 ? signatureOf(wire) : 'another signature';
  }

  /** Lets a transaction land later, unless its blockhash expires before. */
  #broadcast(wire: string): void {
    const height = this.height + 1 + this.#draw(DELAY_BLOCKS_MAX);
    if (height > this.#lastValidHeight) return;
    const err = this.#draw(6) === 0 ? { InstructionError: [2, { Custom: 1 }] } : null;
    this.#broadcasts.push({ wire, height, err });
  }

  #lag(): number {
    return this.isHonest || this.#draw(2) === 0 ? 0 : this.#draw(FINAL_BLOCKS);
  }

  #mayFail(): void {
    if (!this.isHonest && this.#draw(5) === 0)
      throw new ServiceError('UPSTREAM_TIMEOUT', 'the node did not answer');
  }
}

/** Returns the signature of a wire of {@link wireOf}. */
const signatureOf = (wire: string): string => wire.split(' ')[0] ?? '';

/** Returns the bytes of a signed transaction, which a second signature would change. */
export const wireOf = (id: string, count: number): Uint8Array => Buffer.from(`signature-of-${id} ${count}`);
