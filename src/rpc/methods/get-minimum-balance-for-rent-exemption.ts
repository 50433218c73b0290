import { rentOf } from '../../programs/rent.ts';
import { invalidRequest } from '../errors.ts';
import { commitmentConfig } from '../params/configs.ts';
import { usize } from '../params/primitives.ts';
import { defineMethod } from '../rpc-method.ts';

/** Largest account data, bytes (`solana-system-interface` `MAX_PERMITTED_DATA_LENGTH`, 10 MiB). */
const ACCOUNT_BYTES_MAX = 10n * 1024n * 1024n;

/**
 * `getMinimumBalanceForRentExemption([dataBytes, config?])`: the lamports that make such an account
 * rent-exempt.
 */
export const getMinimumBalanceForRentExemption = defineMethod(
  'getMinimumBalanceForRentExemption',
  { required: [usize], optional: [commitmentConfig] },
  ({ ledger }, dataBytes) => {
    if (dataBytes > ACCOUNT_BYTES_MAX) throw invalidRequest();
    return rentOf(ledger).minimum(dataBytes);
  },
);
