import { invalidParams } from '../../errors.ts';
import { verifyAddress } from '../../params/keys.ts';
import { sequence, string } from '../../params/primitives.ts';
import { defineMethod } from '../../rpc-method.ts';

/** Most accounts of one call (`MAX_TX_ACCOUNT_LOCKS`): there are no more in a transaction. */
const ACCOUNTS_MAX = 128;

/**
 * `getBlockhashForAccounts([addresses])`: a blockhash for a transaction that writes to these accounts
 * (MagicBlock's router). They are checked and do not count: there is one rollup. Unlike getLatestBlockhash it
 * is without a context.
 */
export const getBlockhashForAccounts = defineMethod(
  'getBlockhashForAccounts',
  { required: [sequence(string)], optional: [] },
  ({ ledger }, texts) => {
    if (texts.length > ACCOUNTS_MAX) throw invalidParams(`Too many inputs provided; max ${ACCOUNTS_MAX}`);
    for (const text of texts) verifyAddress(text);
    const { blockhash, lastValidBlockHeight } = ledger.head();
    return { blockhash, lastValidBlockHeight };
  },
);
