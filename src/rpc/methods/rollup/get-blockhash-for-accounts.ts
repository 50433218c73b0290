import { invalidParams } from '../../errors.ts';
import { verifyAddress } from '../../params/keys.ts';
import { sequence, string } from '../../params/primitives.ts';
import { defineMethod } from '../../rpc-method.ts';

/** Most accounts per call (`MAX_TX_ACCOUNT_LOCKS`): a transaction cannot have more. */
const ACCOUNTS_MAX = 128;

/**
 * `getBlockhashForAccounts([addresses])`: a blockhash for a transaction that writes to these accounts
 * (MagicBlock's router). The addresses are validated but have no effect, as there is one rollup. Unlike
 * getLatestBlockhash the answer has no context.
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
