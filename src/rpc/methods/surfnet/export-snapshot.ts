import { HTTP_LIMITS } from '../../../http/limits.ts';
import { isPartOfLedger } from '../../../ledger/provision/make-local.ts';
import { LOADERS } from '../../../ledger/assert-settable.ts';
import type { JsonOutputObject } from '../../../json/json-value.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import { answerTooLong, invalidParams } from '../../errors.ts';
import { verifyAddress } from '../../params/keys.ts';
import type { ParamReader } from '../../params/param-reader.ts';
import { bool, sequence, string } from '../../params/primitives.ts';
import { optional, struct, withDefault } from '../../params/struct.ts';
import { tagged } from '../../params/tagged.ts';
import { showParsedAccount } from '../../parsed/parse-account.ts';
import { defineMethod } from '../../rpc-method.ts';
import { inContext, type RpcNode } from '../../rpc-node.ts';
import { operatorOf } from './operator-of.ts';

/** Which accounts are wanted (Surfpool `ExportSnapshotFilter`). */
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

/** Surfpool `ExportSnapshotScope`. What accounts were before a transaction is not kept here. */
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
 * `surfnet_exportSnapshot([{ includeParsedAccounts?, filter?, scope? }?])`: all accounts by address, each with its
 * lamports, owner, data (base64) and, when asked for, its data in words; what `--snapshot` reads. Left out are sysvars
 * and native programs, of which every ledger has its own, and other programs and their code unless they are asked for;
 * not so those that `includeAccounts` names. What `excludeAccounts` names is always left out.
 */
export const surfnetExportSnapshot = defineMethod(
  'surfnet_exportSnapshot',
  { required: [], optional: [snapshotConfig] },
  (node, config) => {
    operatorOf(node);
    const isWanted = readFilter(config?.filter);
    const isParsed = config?.includeParsedAccounts === true;
    const wanted = [...node.ledger.accounts()].filter(([address, account]) => isWanted(address, account));
    // Nothing is encoded for an answer that could not be given.
    const length = wanted.reduce((sum, [, { data }]) => sum + Math.ceil(data.length / 3) * 4, 0);
    if (length > HTTP_LIMITS.answerLengthMax) throw answerTooLong(HTTP_LIMITS.answerLengthMax);
    wanted.sort(([one], [other]) => (one < other ? -1 : 1));
    const shown = wanted.map(([address, account]) => [
      address,
      showSnapshot(node, address, account, isParsed),
    ]);
    return inContext(node, node.ledger.head().slot, Object.fromEntries(shown) as JsonOutputObject);
  },
);

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
    data: Buffer.from(account.data).toString('base64'),
    parsedData: parsed ?? null,
  };
}
