import type { JsonOutput, JsonOutputObject } from '../../../json/json-value.ts';
import { Base64Text, LongText } from '../../../json/long-text.ts';
import { LOADERS } from '../../../ledger/engine/engine.ts';
import { isPartOfLedger } from '../../../ledger/provision/clone-accounts.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import type { KeyedAccount } from '../../accounts/account-lists.ts';
import { invalidParams } from '../../errors.ts';
import { verifyAddress } from '../../params/keys.ts';
import type { ParamReader } from '../../params/param-reader.ts';
import {
  bool,
  optional,
  required,
  sequence,
  string,
  struct,
  tagged,
  u64,
  withDefault,
} from '../../params/readers.ts';
import { showParsedAccount } from '../../parsed/parse-account.ts';
import { defineMethod, defineScan } from '../../rpc-method.ts';
import { inContext, type RpcNode } from '../../rpc-node.ts';
import { appendInSteps, keepInSteps, sortInSteps, type Steps } from '../../scan/scan.ts';
import { takeSnapshot } from '../../scan/snapshot.ts';
import { forkOf, operatorOf, ownedConfig } from './cheat-parts.ts';

/** `surfnet_resetNetwork()`: discards everything and restarts as a new ledger. */
export const surfnetResetNetwork = defineMethod(
  'surfnet_resetNetwork',
  { required: [], optional: [] },
  async (node) => {
    await operatorOf(node).resetLedger();
    return inContext(node, node.ledger.head().slot, null);
  },
);

/**
 * `surfnet_getSurfnetInfo()`: the runbooks executed on the network. This node runs none, so the list is
 * empty.
 */
export const surfnetGetSurfnetInfo = defineMethod(
  'surfnet_getSurfnetInfo',
  { required: [], optional: [] },
  (node) => {
    operatorOf(node);
    return inContext(node, node.ledger.head().slot, { runbookExecutions: [] });
  },
);

/** Selects accounts (Surfpool `ExportSnapshotFilter`). */
interface SnapshotFilter {
  readonly includeProgramAccounts: boolean | undefined;
  readonly includeAccounts: readonly string[] | undefined;
  readonly excludeAccounts: readonly string[] | undefined;
}

/** Surfpool `ExportSnapshotConfig`. */
interface SnapshotConfig {
  readonly includeParsedAccounts: boolean | undefined;
  readonly filter: SnapshotFilter | undefined;
  readonly scope: 'network';
}

/** Surfpool `ExportSnapshotScope`. Account states before a transaction are not stored here. */
const scope: ParamReader<'network'> = tagged<'network'>({
  network: { unit: 'network' },
  preTransaction: {
    content: () => {
      throw invalidParams(
        'scope preTransaction is not served: this ledger keeps no accounts of the past; use network',
      );
    },
  },
});

const snapshotConfig = struct<SnapshotConfig>('ExportSnapshotConfig', {
  includeParsedAccounts: optional(bool),
  filter: optional(
    struct<SnapshotFilter>('ExportSnapshotFilter', {
      includeProgramAccounts: optional(bool),
      includeAccounts: optional(sequence(string)),
      excludeAccounts: optional(sequence(string)),
    }),
  ),
  scope: withDefault(scope, 'network'),
});

/**
 * `surfnet_exportSnapshot([{ includeParsedAccounts?, filter?, scope? }?])`: all accounts by address, each
 * with its lamports, owner, data (base64) and optionally its parsed data; the input of `--snapshot`. By
 * default sysvars and native programs, which every ledger has of its own, and other programs with their code
 * are left out. `includeAccounts` adds accounts of any kind; `excludeAccounts` always removes.
 */
export const surfnetExportSnapshot = defineScan(
  'surfnet_exportSnapshot',
  { required: [], optional: [snapshotConfig] },
  function* (node, config) {
    operatorOf(node);
    const isWanted = readFilter(config?.filter);
    const isParsed = config?.includeParsedAccounts === true;
    const { slot } = node.ledger.head();
    const accounts = yield* takeSnapshot(node.ledger.accounts());
    const wanted = yield* keepInSteps(accounts, ([address, account]) => isWanted(address, account));
    const sorted = yield* sortInSteps(wanted, ([one], [other]) => (one < other ? -1 : 1));
    return inContext(
      node,
      slot,
      yield* showMembers(sorted, ([address, account]) => showSnapshot(node, address, account, isParsed)),
    );
  },
);

/** Writes an object with one member per account, named by its address. */
function* showMembers(
  accounts: readonly KeyedAccount[],
  show: (entry: KeyedAccount) => JsonOutput,
): Steps<LongText> {
  const text = new LongText();
  let separator = '{';
  for (const entry of accounts) {
    text.append(`${separator}"${entry[0]}":`);
    yield* appendInSteps(text, show(entry));
    separator = ',';
  }
  return text.append(separator === '{' ? '{}' : '}');
}

function readFilter(filter: SnapshotFilter | undefined): (address: Address, account: Account) => boolean {
  const included = new Set(filter?.includeAccounts?.map(verifyAddress));
  const excluded = new Set(filter?.excludeAccounts?.map(verifyAddress));
  const withPrograms = filter?.includeProgramAccounts === true;
  return (address, account) => {
    if (excluded.has(address)) return false;
    if (included.has(address)) return true;
    return !isPartOfLedger(account) && (withPrograms || !LOADERS.has(account.owner));
  };
}

/** Surfpool `AccountSnapshot`. */
function showSnapshot(
  { ledger }: RpcNode,
  address: Address,
  account: Account,
  isParsed: boolean,
): JsonOutputObject {
  const parsed = isParsed ? showParsedAccount(address, account, (at) => ledger.getAccount(at)) : undefined;
  return {
    lamports: account.lamports,
    owner: account.owner,
    executable: account.executable,
    rentEpoch: account.rentEpoch,
    data: new Base64Text(account.data),
    parsedData: parsed ?? null,
  };
}

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

/** Default and maximum number of transactions per call (Surfpool). */
const LIMIT_DEFAULT = 50n;
const LIMIT_MAX = 1_000n;

/** `surfnet_getLocalSignatures([limit?])`: the latest transactions with their logs, newest first. */
export const surfnetGetLocalSignatures = defineMethod(
  'surfnet_getLocalSignatures',
  { required: [], optional: [u64] },
  (node, limit = LIMIT_DEFAULT) => {
    const operator = operatorOf(node);
    if (limit > LIMIT_MAX) throw invalidParams(`Invalid limit; max ${LIMIT_MAX}`);
    const records = operator.newestTransactions(Number(limit));
    const value = records.map(({ signature, err, logs }) => ({ signature, err, logs }));
    return inContext(node, node.ledger.head().slot, value);
  },
);
