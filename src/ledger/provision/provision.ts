import type { Address } from '../../solana/address.ts';
import type { CloneList } from './clone-accounts.ts';
import type { AccountSource } from './cluster-accounts.ts';
import type { LedgerShape } from './ledger-shape.ts';

/**
 * What the operator wants on the ledger besides what it begins with, by the flags of solana-test-validator.
 */
export interface Provision {
  /**
   * `--account ADDRESS FILE`: the account of the file at that address; null for `-`, which is the one in the
   * file.
   */
  readonly accounts: readonly { readonly address: Address | null; readonly file: string }[];
  /** `--account-dir DIR`: all `.json` files in these folders. */
  readonly accountFolders: readonly string[];
  /**
   * `--bpf-program ADDRESS FILE` without an authority, `--upgradeable-program ADDRESS FILE AUTHORITY` with
   * one (null for `none`). Both become upgradeable programs, as in solana-test-validator since 1.18.
   */
  readonly programs: readonly {
    readonly address: Address;
    readonly file: string;
    readonly authority: Address | null;
  }[];
  /** `--snapshot FILE`: the accounts of snapshots; the later one wins. */
  readonly snapshots: readonly string[];
  /** `--mint ADDRESS`: a wallet that begins with these lamports. */
  readonly mint: { readonly address: Address; readonly lamports: bigint } | null;
  /** `--clone`, `--maybe-clone` and `--clone-upgradeable-program` from the cluster of `--url`. */
  readonly clones: (CloneList & { readonly source: AccountSource }) | null;
  /** What a new ledger is like for good. */
  readonly shape: LedgerShape;
}
