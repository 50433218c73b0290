import type { Logger } from '../ports/logger.ts';

/** How a localnet is started. */
export interface LocalnetOptions {
  /**
   * The programs of layout B, as mainnet runs them: a folder with `ephemeral_spl_token.so`, `delegation.so`
   * and `permission.so`, the name of a cluster (`devnet`), or the URL of its RPC. Layout A when left out, as
   * of npm's package of MagicBlock's validator, which is fetched once and kept in the cache of the user.
   */
  readonly programs?: string;
  /**
   * The folder that keeps both ledgers. Left out, they are in memory, and nothing is left behind. With a
   * folder there are no snapshots.
   */
  readonly dataDir?: string;
  /** TCP ports on 127.0.0.1; free ones where left out. The two nodes also take the port after theirs. */
  readonly ports?: { readonly service?: number; readonly base?: number; readonly rollup?: number };
  /**
   * What every key, address and blockhash is drawn from. Together with a clock that stands still, the same
   * calls then give the same bytes. Drawn by the machine when left out.
   */
  readonly seed?: string;
  /** Lets time stand still from `startsAtMs`, Unix ms, until `timeTravel`; the machine's when left out. */
  readonly clock?: { readonly startsAtMs: number };
  /**
   * Further settings of the program, by the names of its environment variables, as docs/operating.md lists
   * them. The environment of this process is not looked at.
   */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where the program logs; nowhere when left out. */
  readonly logger?: Logger;
}
