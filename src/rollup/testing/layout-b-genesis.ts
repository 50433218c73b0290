import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Genesis } from '../../ledger/genesis/genesis.ts';
import { localGenesis } from '../../ledger/genesis/local-genesis.ts';
import { programAccounts } from '../../ledger/genesis/program-accounts.ts';
import { walletAccount } from '../../ledger/genesis/wallet-account.ts';
import { accountOf } from '../../ledger/testing/make-account.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM, PERMISSION_PROGRAM } from '../../programs/addresses.ts';
import { deriveMagicFeeVault } from '../../programs/delegation/pdas.ts';
import { FEES_VAULT_BYTES } from '../../programs/delegation/state.ts';
import { deriveRentPda } from '../../programs/ephemeral-token/pdas.ts';
import type { Address } from '../../solana/address.ts';

const FILES: readonly (readonly [Address, string])[] = [
  [EPHEMERAL_TOKEN_PROGRAM, 'ephemeral_spl_token.so'],
  [DELEGATION_PROGRAM, 'delegation.so'],
  [PERMISSION_PROGRAM, 'permission.so'],
];

/** Where the programs of layout B may lie: they are under a licence of their own and come with no package. */
const FOLDERS = [
  process.env['LOCALNET_PROGRAMS'],
  fileURLToPath(new URL('../../../../shared/programs', import.meta.url)),
];

/** The folder with the programs of layout B; null where this machine does not have them. */
export const LAYOUT_B_FOLDER: string | null =
  FOLDERS.find(
    (folder) => folder !== undefined && FILES.every(([, file]) => existsSync(join(folder, file))),
  ) ?? null;

/** Why tests of layout B's programs are skipped. */
export const NO_LAYOUT_B = 'the programs of layout B: name their folder in LOCALNET_PROGRAMS';

/** The local chain with the programs of layout B. To be asked for only where there are some. */
export function layoutBGenesis(): Genesis {
  if (LAYOUT_B_FOLDER === null) throw new Error(`this test needs ${NO_LAYOUT_B}`);
  const folder = LAYOUT_B_FOLDER;
  return {
    *accounts(faucet, validator) {
      yield* localGenesis().accounts(faucet, validator);
      for (const [program, file] of FILES) {
        yield* programAccounts(program, new Uint8Array(readFileSync(join(folder, file))));
      }
      yield [deriveRentPda().address, walletAccount(1_000_000_000_000n)] as const;
    },
  };
}

/** What base has for the validator of a layout-B rollup besides: the vault that transfer queues name. */
export const magicFeeVaultEntry = (validator: Address) =>
  [
    deriveMagicFeeVault(validator).address,
    accountOf(DELEGATION_PROGRAM, new Uint8Array(FEES_VAULT_BYTES)),
  ] as const;
