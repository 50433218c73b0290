import { accountInfoConfig } from '../../methods/get-account-info.ts';
import { string } from '../../params/primitives.ts';
import { changedAccounts, changesWithSlots } from '../changed-accounts.ts';
import { parseAddress } from '../keys.ts';
import { defineSubscription } from '../subscription-method.ts';
import { inSlot, SLOT_BEGAN, type Source } from '../topic.ts';

/**
 * `accountSubscribe([address, config?])`: the account at every change. A deleted account has no lamports, no
 * data and the system program as its owner. As in Agave, `dataSlice` and `minContextSlot` are read but have
 * no effect.
 */
export const accountSubscribe = defineSubscription(
  'accountSubscribe',
  { required: [string], optional: [accountInfoConfig] },
  ({ ledger }, text, config) => {
    const address = parseAddress(text, 'pubkey');
    const encoding = config?.encoding ?? 'binary';
    const ofAccount: Source = { kind: 'account', of: address };
    return {
      // The commitment changes nothing here, but in Agave it makes another subscription with an id of its
      // own.
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
