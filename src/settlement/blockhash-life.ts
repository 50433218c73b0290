import type { LedgerClient } from '../chain/chain.ts';
import type { Clock } from '../ports/clock.ts';
import { decodeRecentBlockhashes, RECENT_BLOCKHASHES_SYSVAR } from '../programs/sysvars.ts';

/** The remaining life of a blockhash. */
interface BlockhashLife {
  /** The last height at which the ledger accepts it. If its age is not known, an upper bound. */
  readonly lastValidBlockHeight: number;
  /** Time for which the ledger will still accept it, in ms. If its age is not known, 0. */
  readonly remainingMs: number;
}

/**
 * Block times in ms that are assumed until two readings are {@link SAMPLE_MS} apart: the shortest on mainnet
 * (SIMD-0525), and the usual one on rollups. If one is too short, payments are only rejected too early.
 */
const BLOCK_MS = { base: 200, rollup: 50 } as const;

/** Maximum duration of a block, in ms (Agave `DEFAULT_MS_PER_SLOT`). Blocks of a halted ledger are longer. */
const BLOCK_MS_MAX = 400;

/** Minimum time between the readings that measure the block time, in ms. */
const SAMPLE_MS = 10_000;

interface Sample {
  readonly height: number;
  readonly atMs: number;
  readonly blockMs: number;
}

/** Measures how long the blockhashes of ledgers remain valid. */
export class BlockhashLives {
  readonly #clock: Clock;
  readonly #samples = new WeakMap<LedgerClient, Sample>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the remaining life of a blockhash (base58); null if the ledger does not accept it, or if base
   * does not show its age.
   *
   * @throws {ServiceError} UPSTREAM_* if the ledger cannot be read.
   */
  async of(
    blockhash: string,
    node: LedgerClient,
    ledger: keyof typeof BLOCK_MS,
  ): Promise<BlockhashLife | null> {
    const [last, height] = await Promise.all([lastHeightOf(blockhash, node), node.blockHeight()]);
    if (last.ofThis === null) {
      // The sysvar has 150 blockhashes, but rollups accept more. No blockhash outlives the newest.
      const isOld = ledger === 'rollup' && last.ofNewest !== null && (await node.isBlockhashValid(blockhash));
      return isOld ? { lastValidBlockHeight: last.ofNewest, remainingMs: 0 } : null;
    }
    const lastValidBlockHeight = last.ofThis;
    const blockMs = this.#measure(node, height, BLOCK_MS[ledger]);
    return { lastValidBlockHeight, remainingMs: (lastValidBlockHeight - height) * blockMs };
  }

  #measure(node: LedgerClient, height: number, assumedMs: number): number {
    const atMs = this.#clock.now();
    const last = this.#samples.get(node);
    if (last === undefined) {
      this.#samples.set(node, { height, atMs, blockMs: assumedMs });
      return assumedMs;
    }
    const elapsedMs = atMs - last.atMs;
    if (elapsedMs < SAMPLE_MS || height <= last.height) return last.blockMs;
    const blockMs = Math.min(elapsedMs / (height - last.height), BLOCK_MS_MAX);
    this.#samples.set(node, { height, atMs, blockMs });
    return blockMs;
  }
}

/** Last heights at which a ledger accepts blockhashes; null if they are not known. */
interface LastHeights {
  readonly ofThis: number | null;
  readonly ofNewest: number | null;
}

/**
 * Returns the last height at which a ledger accepts a blockhash. Over RPC, it is computed from the newest
 * blockhash: the sysvar lists both, and their distance is the difference in height.
 */
async function lastHeightOf(blockhash: string, node: LedgerClient): Promise<LastHeights> {
  if (node.lastHeightOf !== undefined) return { ofThis: await node.lastHeightOf(blockhash), ofNewest: null };
  const newest = await node.latestBlockhash();
  const [sysvar = null] = await node.getAccounts([RECENT_BLOCKHASHES_SYSVAR]);
  const recent: readonly string[] = decodeRecentBlockhashes(sysvar) ?? [];
  const [age, newestAge] = [recent.indexOf(blockhash), recent.indexOf(newest.blockhash)];
  const ofNewest = newest.lastValidBlockHeight;
  return { ofThis: age < 0 || newestAge < 0 ? null : ofNewest - (age - newestAge), ofNewest };
}
