import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { accountsView } from '../accounts/accounts-view.ts';
import { readAccounts, showAccounts } from '../accounts/show-accounts.ts';
import { invalidParams } from '../errors.ts';
import { verifyAddress } from '../params/keys.ts';
import { sequence, string } from '../params/primitives.ts';
import { defineScan } from '../rpc-method.ts';
import { inContext, readHead } from '../rpc-node.ts';
import { accountInfoConfig } from './get-account-info.ts';

/** Most accounts per call (Agave `MAX_MULTIPLE_ACCOUNTS`). */
const ACCOUNTS_MAX = 100;

/**
 * `getMultipleAccounts([addresses, config?])`: each account or null, in the requested order, all at one slot.
 */
export const getMultipleAccounts = defineScan(
  'getMultipleAccounts',
  { required: [sequence(string)], optional: [accountInfoConfig] },
  function* (node, texts, config) {
    if (texts.length > ACCOUNTS_MAX) throw invalidParams(`Too many inputs provided; max ${ACCOUNTS_MAX}`);
    const addresses = texts.map(verifyAddress);
    const { slot } = readHead(node, config);
    const read = (address: Address): Account | null => node.ledger.getAccount(address);
    const found = yield* readAccounts(addresses, read);
    const view = accountsView(config, 'base64', read);
    return inContext(node, slot, yield* showAccounts(found, view));
  },
);
