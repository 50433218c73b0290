import { Base64Text, LongText } from '../../../json/long-text.ts';
import type { JsonOutput, JsonOutputObject } from '../../../json/write-json.ts';
import { LOADERS } from '../../../ledger/engine/engine.ts';
import { isPartOfLedger } from '../../../ledger/provision/clone-accounts.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import type { KeyedAccount } from '../../accounts/account-lists.ts';
import { invalidParams } from '../../errors.ts';
import { verifyAddress } from '../../params/keys.ts';
import type { ParamReader } from '../../params/param-reader.ts';
import { bool, optional, sequence, string, struct, tagged, withDefault } from '../../params/readers.ts';
import { showParsedAccount } from '../../parsed/parse-account.ts';
import { defineMethod, defineScan } from '../../rpc-method.ts';
import { inContext, type RpcNode } from '../../rpc-node.ts';
import { appendInSteps, keepInSteps, sortInSteps, type Steps } from '../../scan/scan.ts';
import { takeSnapshot } from '../../scan/snapshot.ts';
import { operatorOf } from './cheat-parts.ts';

/** `surfnet_resetNetwork()`: discards everything and restarts as a new ledger. */
export const surfnetResetNetwork = defineMethod(
  'surfnet_resetNetwork',
  { required: [], optional: [] },
  async (node) => {
    await operatorOf(node).resetLedger();
    return inContext(node, node.ledger.head().slot, null);
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
