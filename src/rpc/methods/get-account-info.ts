import type { Address } from '../../solana/address.ts';
import type { Commitment } from '../../solana/commitment.ts';
import {
  accountEncoding,
  dataSliceConfig,
  showAccount,
  type AccountEncoding,
  type AccountView,
  type DataSlice,
} from '../accounts/account-encoding.ts';
import { isLongAccount, sayIfLarge } from '../accounts/large-accounts.ts';
import type { JsonOutput } from '../../json/json-value.ts';
import { LongText } from '../../json/long-text.ts';
import { flattenedCommitment } from '../params/configs.ts';
import { verifyAddress } from '../params/keys.ts';
import { string, u64 } from '../params/primitives.ts';
import { optional, struct } from '../params/struct.ts';
import { defineMethod } from '../rpc-method.ts';
import { inContext, readHead, type RpcNode } from '../rpc-node.ts';
import { appendInSteps } from '../scan/append-in-steps.ts';
import { Scan, type Steps } from '../scan/scan.ts';

interface AccountInfoConfig {
  readonly encoding: AccountEncoding | undefined;
  readonly dataSlice: DataSlice | undefined;
  readonly commitment: Commitment | undefined;
  readonly minContextSlot: bigint | undefined;
}

/** Agave `RpcAccountInfoConfig`. */
export const accountInfoConfig = struct<AccountInfoConfig>(
  'RpcAccountInfoConfig',
  {
    encoding: optional(accountEncoding),
    dataSlice: optional(dataSliceConfig),
    commitment: flattenedCommitment,
    minContextSlot: optional(u64),
  },
  { hasFlattened: true },
);

/** `getAccountInfo([address, config?])`: the account or null. Data is a bare base58 string by default. */
export const getAccountInfo = defineMethod(
  'getAccountInfo',
  { required: [string], optional: [accountInfoConfig] },
  (node, text, config) => {
    const address = verifyAddress(text);
    const { slot } = readHead(node, config);
    const account = node.ledger.getAccount(address);
    if (account === null) return inContext(node, slot, null);
    if (isLongAccount(account)) return new Scan(() => showInSteps(node, address, config));
    return inContext(node, slot, showAccount(address, account, viewOf(node, config)));
  },
);

function* showInSteps(
  node: RpcNode,
  address: Address,
  config: AccountInfoConfig | undefined,
): Steps<JsonOutput> {
  const { slot } = readHead(node, config);
  const account = node.ledger.getAccount(address);
  if (account === null) return inContext(node, slot, null);
  const view = viewOf(node, config);
  yield* sayIfLarge([account], view);
  const shown = new LongText();
  yield* appendInSteps(shown, showAccount(address, account, view));
  return inContext(node, slot, shown);
}

function viewOf({ ledger }: RpcNode, config: AccountInfoConfig | undefined): AccountView {
  return {
    encoding: config?.encoding ?? 'binary',
    slice: config?.dataSlice,
    lookUp: (other) => ledger.getAccount(other),
  };
}
