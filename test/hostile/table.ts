import type { Row } from './row.ts';
import { EXTRA_ROWS } from './rows/extra-rows.ts';
import { GENUINE_ROWS } from './rows/genuine-rows.ts';

/** Every row on localnet. */
export const TABLE: readonly Row[] = [...GENUINE_ROWS, ...EXTRA_ROWS];
