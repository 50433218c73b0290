import { LongText } from '../../json/long-text.ts';
import type { JsonOutput } from '../../json/write-json.ts';
import { DATA_BYTES_MAX } from '../../ledger/assert-settable.ts';
import { rentOf } from '../../programs/sysvars.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Commitment } from '../../solana/commitment.ts';
import {
  accountEncoding,
  type AccountEncoding,
  accountsView,
  type AccountView,
  type DataSlice,
  dataSliceConfig,
  showAccount,
} from '../accounts/account-encoding.ts';
import { accountFilter, testOfFilters, verifyFilters } from '../accounts/account-filter.ts';
import {
  isLongAccount,
  largestAccounts,
  showAccounts,
  showFoundAccounts,
  yieldIfLarge,
} from '../accounts/account-lists.ts';
import { invalidParams, invalidRequest } from '../errors.ts';
import type { ParamReader } from '../params/param-reader.ts';
import {
  bool,
  commitmentConfig,
  contextConfig,
  flattenedCommitment,
  optional,
  sequence,
  string,
  struct,
  u64,
  usize,
  variant,
  verifyAddress,
  withDefault,
} from '../params/readers.ts';
import {
  defineMethod,
  defineScan,
  inContext,
  readHead,
  type RpcMethod,
  type RpcNode,
} from '../rpc-method.ts';
import { appendInSteps, Scan, type Steps, takeSnapshot } from '../scan/scan.ts';

interface AccountInfoConfig {
  readonly encoding: AccountEncoding | undefined;
  readonly dataSlice: DataSlice | undefined;
  readonly commitment: Commitment | undefined;
  readonly minContextSlot: bigint | undefined;
}

/** Reads Agave's `RpcAccountInfoConfig`. */
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
const getAccountInfo = defineMethod(
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
  yield* yieldIfLarge([account], view);
  const shown = new LongText();
  yield* appendInSteps(shown, showAccount(address, account, view));
  return inContext(node, slot, shown);
}

function viewOf({ ledger }: RpcNode, config: AccountInfoConfig | undefined): AccountView {
  return accountsView(config, 'binary', (address) => ledger.getAccount(address));
}

/** `getBalance([address, config?])`: the lamports of an account; 0 if it is absent. */
const getBalance = defineMethod(
  'getBalance',
  { required: [string], optional: [contextConfig] },
  (node, text, config) => {
    const address = verifyAddress(text);
    const { slot } = readHead(node, config);
    return inContext(node, slot, node.ledger.getAccount(address)?.lamports ?? 0n);
  },
);

/** Maximum number of accounts per call (Agave `MAX_MULTIPLE_ACCOUNTS`). */
const ACCOUNTS_MAX = 100;

/** `getMultipleAccounts([addresses, config?])`: the accounts (or null) in order, all at one slot. */
const getMultipleAccounts = defineScan(
  'getMultipleAccounts',
  { required: [sequence(string)], optional: [accountInfoConfig] },
  function* (node, texts, config) {
    if (texts.length > ACCOUNTS_MAX) throw invalidParams(`Too many inputs provided; max ${ACCOUNTS_MAX}`);
    const addresses = texts.map(verifyAddress);
    const { slot } = readHead(node, config);
    const read = (address: Address): Account | null => node.ledger.getAccount(address);
    const found = addresses.map((address) => [address, read(address)] as const);
    return inContext(node, slot, yield* showAccounts(found, accountsView(config, 'base64', read)));
  },
);

const ownConfig = struct(
  'RpcProgramAccountsConfig',
  {
    filters: optional(sequence(accountFilter)),
    sortResults: optional(bool),
    withContext: optional(bool),
  },
  { hasFlattened: true },
);

/** Reads Agave's `RpcProgramAccountsConfig`, which flattens `RpcAccountInfoConfig`. */
export const programAccountsConfig: ParamReader<
  ReturnType<typeof ownConfig> & ReturnType<typeof accountInfoConfig>
> = (value) => Object.assign(ownConfig(value), accountInfoConfig(value));

/** `getProgramAccounts([program, config?])`: a program's accounts. Data is bare base58 by default. */
export const getProgramAccounts = defineScan(
  'getProgramAccounts',
  { required: [string], optional: [programAccountsConfig] },
  function* (node, text, config) {
    const program = verifyAddress(text);
    const filters = verifyFilters(config?.filters ?? []);
    const { slot } = readHead(node, config);
    const shown = yield* showFoundAccounts(node.ledger.programAccounts(program), testOfFilters(filters), {
      program,
      view: viewOf(node, config),
      isSorted: config?.sortResults !== false,
    });
    return config?.withContext === true ? inContext(node, slot, shown) : shown;
  },
);

/** Reads Agave's `RpcLargestAccountsConfig`. `sortResults` has no effect: accounts are always sorted. */
const largestAccountsConfig = struct(
  'RpcLargestAccountsConfig',
  {
    commitment: flattenedCommitment,
    filter: optional(variant(['circulating', 'nonCirculating'])),
    sortResults: optional(bool),
  },
  { hasFlattened: true },
);

/** `getLargestAccounts([config?])`: the 20 accounts with the most lamports, all of them circulating. */
const getLargestAccounts = defineScan(
  'getLargestAccounts',
  { required: [], optional: [largestAccountsConfig] },
  function* (node, config) {
    const { slot } = readHead(node, undefined);
    if (config?.filter === 'nonCirculating') return inContext(node, slot, []);
    const accounts = yield* takeSnapshot(node.ledger.accounts());
    const largest = yield* largestAccounts(accounts, ({ lamports }) => lamports);
    return inContext(
      node,
      slot,
      largest.map(([address, lamports]) => ({ address, lamports })),
    );
  },
);

/** Reads Agave's `RpcSupplyConfig`. */
const supplyConfig = struct(
  'RpcSupplyConfig',
  { commitment: flattenedCommitment, excludeNonCirculatingAccountsList: withDefault(bool, false) },
  { hasFlattened: true },
);

/** `getSupply([config?])`: the lamports of all accounts, all of them circulating. */
const getSupply = defineMethod('getSupply', { required: [], optional: [supplyConfig] }, (node) => {
  const total = node.ledger.totalLamports();
  return inContext(node, node.ledger.head().slot, {
    circulating: total,
    nonCirculating: 0,
    nonCirculatingAccounts: [],
    total,
  });
});

/** `getMinimumBalanceForRentExemption([dataBytes, config?])`: the rent-exempt minimum, in lamports. */
const getMinimumBalanceForRentExemption = defineMethod(
  'getMinimumBalanceForRentExemption',
  { required: [usize], optional: [commitmentConfig] },
  ({ ledger }, dataBytes) => {
    if (dataBytes > DATA_BYTES_MAX) throw invalidRequest();
    return rentOf(ledger).minimum(dataBytes);
  },
);

/** The result of `GetMinimumDelegation` of the engine's stake program, in lamports. */
const MINIMUM_DELEGATION = 1_000_000_000;

/** `getStakeMinimumDelegation([config?])`: the minimum stake delegation, in lamports. */
const getStakeMinimumDelegation = defineMethod(
  'getStakeMinimumDelegation',
  { required: [], optional: [contextConfig] },
  (node, config) => inContext(node, readHead(node, config).slot, MINIMUM_DELEGATION),
);

/** Methods that read accounts and tokens. */
export const ACCOUNT_METHODS: readonly RpcMethod[] = [
  getAccountInfo,
  getBalance,
  getLargestAccounts,
  getMinimumBalanceForRentExemption,
  getMultipleAccounts,
  getProgramAccounts,
  getStakeMinimumDelegation,
  getSupply,
];
