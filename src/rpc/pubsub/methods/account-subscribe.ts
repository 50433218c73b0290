import { accountInfoConfig } from '../../methods/get-account-info.ts';
import { string } from '../../params/primitives.ts';
import { changedAccounts, changesWithSlots } from '../changed-accounts.ts';
import { parseAddress } from '../keys.ts';
import { defineSubscription } from '../subscription-method.ts';
import { inSlot, SLOT_BEGAN, type Source } from '../topic.ts';

/**
 * `accountSubscribe([address, config?])`: the account whenever it changes; one that is gone has no lamports,
 * no data and the system program as its owner. As in Agave, a slice and a least slot are read and do not
 * count.
 */
export const accountSubscribe = defineSubscription(
  'accountSubscribe',
  { required: [string], optional: [accountInfoConfig] },
  ({ ledger }, text, config) => {
    const address = parseAddress(text, 'pubkey');
    const encoding = config?.encoding ?? 'binary';
    const ofAccount: Source = { kind: 'account', of: address };
    return {
      key: `account ${address} ${encoding} ${config?.commitment ?? 'finalized'}`,
      notification: 'accountNotification',
      sources: changesWithSlots(address) ? [ofAccount, SLOT_BEGAN] : [ofAccount],
      results: (happening, texts) =>
        changedAccounts(happening, ledger)
          .filter(([changed]) => changed === address)
          .map(([, account]) => inSlot(happening.slot, texts.write(address, account, encoding))),
    };
  },
);
