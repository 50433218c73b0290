import type { Address } from '../../solana/address.ts';
import { showAccount } from '../accounts/account-encoding.ts';
import { invalidParams } from '../errors.ts';
import { verifyAddress } from '../params/keys.ts';
import { sequence, string } from '../params/primitives.ts';
import { defineMethod } from '../rpc-method.ts';
import { inContext, readHead } from '../rpc-node.ts';
import { accountInfoConfig } from './get-account-info.ts';

/** Most accounts of a call (Agave `MAX_MULTIPLE_ACCOUNTS`). */
const ACCOUNTS_MAX = 100;

/** `getMultipleAccounts([addresses, config?])`: each account or null, in the order asked for, all at one slot. */
export const getMultipleAccounts = defineMethod(
  'getMultipleAccounts',
  { required: [sequence(string)], optional: [accountInfoConfig] },
  (node, texts, config) => {
    if (texts.length > ACCOUNTS_MAX) throw invalidParams(`Too many inputs provided; max ${ACCOUNTS_MAX}`);
    const addresses = texts.map(verifyAddress);
    const { slot } = readHead(node, config);
    const lookUp = (address: Address): ReturnType<typeof node.ledger.getAccount> =>
      node.ledger.getAccount(address);
    const view = { encoding: config?.encoding ?? 'base64', slice: config?.dataSlice, lookUp };
    const shown = addresses.map((address) => {
      const account = lookUp(address);
      return account === null ? null : showAccount(address, account, view);
    });
    return inContext(node, slot, shown);
  },
);
