import type { Commitment } from '../../solana/commitment.ts';
import {
  accountEncoding,
  dataSliceConfig,
  showAccount,
  type AccountEncoding,
  type DataSlice,
} from '../accounts/account-encoding.ts';
import { flattenedCommitment } from '../params/configs.ts';
import { verifyAddress } from '../params/keys.ts';
import { string, u64 } from '../params/primitives.ts';
import { optional, struct } from '../params/struct.ts';
import { defineMethod } from '../rpc-method.ts';
import { inContext, readHead } from '../rpc-node.ts';

/** Agave `RpcAccountInfoConfig`. */
export const accountInfoConfig = struct<{
  readonly encoding: AccountEncoding | undefined;
  readonly dataSlice: DataSlice | undefined;
  readonly commitment: Commitment | undefined;
  readonly minContextSlot: bigint | undefined;
}>(
  'RpcAccountInfoConfig',
  {
    encoding: optional(accountEncoding),
    dataSlice: optional(dataSliceConfig),
    commitment: flattenedCommitment,
    minContextSlot: optional(u64),
  },
  { hasFlattened: true },
);

/** `getAccountInfo([address, config?])`: the account or null. Data are a bare base58 string unless asked otherwise. */
export const getAccountInfo = defineMethod(
  'getAccountInfo',
  { required: [string], optional: [accountInfoConfig] },
  (node, text, config) => {
    const address = verifyAddress(text);
    const { slot } = readHead(node, config);
    const account = node.ledger.getAccount(address);
    if (account === null) return inContext(node, slot, null);
    const shown = showAccount(address, account, {
      encoding: config?.encoding ?? 'binary',
      slice: config?.dataSlice,
      lookUp: (other) => node.ledger.getAccount(other),
    });
    return inContext(node, slot, shown);
  },
);
