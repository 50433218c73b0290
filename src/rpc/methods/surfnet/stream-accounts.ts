import { verifyAddress } from '../../params/keys.ts';
import { bool, sequence, string } from '../../params/primitives.ts';
import { optional, required, struct } from '../../params/struct.ts';
import { defineMethod } from '../../rpc-method.ts';
import { inContext } from '../../rpc-node.ts';
import { forkOf } from './fork-of.ts';
import { operatorOf } from './operator-of.ts';
import { ownedConfig } from './owned-config.ts';

/** Surfpool `StreamAccountsEntry`. */
const entry = struct<{ readonly pubkey: string; readonly includeOwnedAccounts: boolean | undefined }>(
  'StreamAccountsEntry',
  { pubkey: required(string), includeOwnedAccounts: optional(bool) },
);

/**
 * `surfnet_streamAccount([pubkey, { includeOwnedAccounts? }?])`: makes a fork copy an account again at its
 * first use in each slot, optionally with the local accounts it owns, until a reset of the network or a
 * restart. Local changes to it last for one slot at most.
 */
export const surfnetStreamAccount = defineMethod(
  'surfnet_streamAccount',
  { required: [string], optional: [ownedConfig('StreamAccountConfig')] },
  (node, text, config) => {
    operatorOf(node);
    const address = verifyAddress(text);
    forkOf(node).stream(address, config?.includeOwnedAccounts === true);
    return inContext(node, node.ledger.head().slot, null);
  },
);

/**
 * `surfnet_streamAccounts([[{ pubkey, includeOwnedAccounts? }, ...]])`: as {@link surfnetStreamAccount}, for
 * all or none.
 */
export const surfnetStreamAccounts = defineMethod(
  'surfnet_streamAccounts',
  { required: [sequence(entry)], optional: [] },
  (node, entries) => {
    operatorOf(node);
    const fork = forkOf(node);
    const wanted = entries.map(({ pubkey, includeOwnedAccounts }) => ({
      address: verifyAddress(pubkey),
      withOwned: includeOwnedAccounts === true,
    }));
    for (const { address, withOwned } of wanted) fork.stream(address, withOwned);
    return inContext(node, node.ledger.head().slot, null);
  },
);

/** `surfnet_getStreamedAccounts()`: the streamed accounts. */
export const surfnetGetStreamedAccounts = defineMethod(
  'surfnet_getStreamedAccounts',
  { required: [], optional: [] },
  (node) => {
    operatorOf(node);
    const accounts = (node.fork?.streamed ?? []).map(({ address, withOwned }) => ({
      pubkey: address,
      includeOwnedAccounts: withOwned,
    }));
    return inContext(node, node.ledger.head().slot, { accounts });
  },
);
