import type { Row } from './row.ts';
import { CHANGE_ROWS } from './rows/change-rows.ts';
import { ENCODING_ROWS } from './rows/encoding-rows.ts';
import { EXTRA_ROWS } from './rows/extra-rows.ts';
import { EXTRA_ROWS_B } from './rows/extra-rows-b.ts';
import { GENUINE_ROWS } from './rows/genuine-rows.ts';
import { GENUINE_ROWS_B } from './rows/genuine-rows-b.ts';
import { LEDGER_ROWS } from './rows/ledger-rows.ts';
import { LEDGER_ROWS_B } from './rows/ledger-rows-b.ts';
import { ROLLUP_ROWS } from './rows/rollup-rows.ts';
import { SIGNATURE_ROWS } from './rows/signature-rows.ts';
import { STATE_ROWS } from './rows/state-rows.ts';
import { STATE_ROWS_B } from './rows/state-rows-b.ts';
import { SWAP_ROWS } from './rows/swap-rows.ts';
import { SWAP_ROWS_B } from './rows/swap-rows-b.ts';
import { TABLE_ROWS } from './rows/table-rows.ts';
import { TOKEN_2022_ROWS } from './rows/token-2022-rows.ts';
import { VAULT_ROWS } from './rows/vault-rows.ts';
import { vectorRows } from './rows/vector-rows.ts';
import type { WorldB } from './world/world-b.ts';

/** Every row on localnet. */
export const TABLE: readonly Row[] = [
  ...GENUINE_ROWS,
  ...EXTRA_ROWS,
  ...SWAP_ROWS,
  ...CHANGE_ROWS,
  ...ROLLUP_ROWS,
  ...ENCODING_ROWS,
  ...TABLE_ROWS,
  ...LEDGER_ROWS,
  ...SIGNATURE_ROWS,
  ...STATE_ROWS,
  ...VAULT_ROWS,
  ...TOKEN_2022_ROWS,
];

/** Every row on a mainnet of layout B without simulation. */
export const TABLE_B: readonly Row<WorldB>[] = [
  ...GENUINE_ROWS_B,
  ...EXTRA_ROWS_B,
  ...SWAP_ROWS_B,
  ...LEDGER_ROWS_B,
  ...STATE_ROWS_B,
  ...vectorRows('b'),
];

/** Recorded transactions of layout A. */
export const TABLE_RECORDED_A: readonly Row<WorldB>[] = vectorRows('a');
