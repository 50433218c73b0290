import type { Row } from './row.ts';
import { CHANGE_ROWS } from './rows/change-rows.ts';
import { ENCODING_ROWS } from './rows/encoding-rows.ts';
import { EXTRA_ROWS } from './rows/extra-rows.ts';
import { GENUINE_ROWS } from './rows/genuine-rows.ts';
import { LEDGER_ROWS } from './rows/ledger-rows.ts';
import { ROLLUP_ROWS } from './rows/rollup-rows.ts';
import { SIGNATURE_ROWS } from './rows/signature-rows.ts';
import { STATE_ROWS } from './rows/state-rows.ts';
import { SWAP_ROWS } from './rows/swap-rows.ts';
import { TABLE_ROWS } from './rows/table-rows.ts';
import { VAULT_ROWS } from './rows/vault-rows.ts';

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
];
