import type { Address } from '../../solana/address.ts';
import type { CloneList } from './clone-accounts.ts';
import type { AccountSource } from './cluster-accounts.ts';
import type { LedgerShape } from './ledger-shape.ts';

/** What the operator adds to the genesis, by the flags of solana-test-validator. */
export interface Provision {
  /**
   * `--account ADDRESS FILE`: the account in the file, set at that address; null for `-`, the address in the
   * file.
   */
  readonly accounts: readonly { readonly address: Address | null; readonly file: string }[];
  /** `--account-dir DIR`: all `.json` files in these folders. */
  readonly accountFolders: readonly string[];
  /**
   * `--bpf-program ADDRESS FILE` has no authority; `--upgradeable-program ADDRESS FILE AUTHORITY` has one
   * (null for `none`). Both become upgradeable programs, as in solana-test-validator since 1.18.
   */
  readonly programs: readonly {
    readonly address: Address;
    readonly file: string;
    readonly authority: Address | null;
  }[];
  /** `--snapshot FILE`: accounts of snapshots; a later file wins. */
  readonly snapshots: readonly string[];
  /** `--mint ADDRESS`: a wallet that starts with these lamports. */
  readonly mint: { readonly address: Address; readonly lamports: bigint } | null;
  /** `--clone`, `--maybe-clone` and `--clone-upgradeable-program` from the cluster of `--url`. */
  readonly clones: (CloneList & { readonly source: AccountSource }) | null;
  /** Permanent properties of a new ledger. */
  readonly shape: LedgerShape;
}
