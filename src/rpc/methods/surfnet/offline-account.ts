import { verifyAddress } from '../../params/keys.ts';
import { string } from '../../params/primitives.ts';
import { defineMethod } from '../../rpc-method.ts';
import { inContext } from '../../rpc-node.ts';
import { forkOf } from './fork-of.ts';
import { operatorOf } from './operator-of.ts';
import { ownedConfig } from './owned-config.ts';

/**
 * `surfnet_offlineAccount([pubkey, { includeOwnedAccounts? }?])`: has a fork never copy an account, nor what
 * it owns where that is asked for, until `surfnet_resetAccount`, a reset of the network or a restart. What is
 * local stays.
 */
export const surfnetOfflineAccount = defineMethod(
  'surfnet_offlineAccount',
  { required: [string], optional: [ownedConfig('OfflineAccountConfig')] },
  (node, text, config) => {
    operatorOf(node);
    const address = verifyAddress(text);
    forkOf(node).goOffline(address, config?.includeOwnedAccounts === true);
    return inContext(node, node.ledger.head().slot, null);
  },
);
