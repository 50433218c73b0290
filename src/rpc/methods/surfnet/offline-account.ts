import { verifyAddress } from '../../params/keys.ts';
import { string } from '../../params/primitives.ts';
import { defineMethod } from '../../rpc-method.ts';
import { inContext } from '../../rpc-node.ts';
import { forkOf } from './fork-of.ts';
import { operatorOf } from './operator-of.ts';
import { ownedConfig } from './owned-config.ts';

/**
 * `surfnet_offlineAccount([pubkey, { includeOwnedAccounts? }?])`: stops a fork from copying an account, and
 * optionally those it owns, until `surfnet_resetAccount`, a reset of the network or a restart. Local state
 * stays.
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
