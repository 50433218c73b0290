import { writeJson } from '../../../json/write-json.ts';
import { isTokenProgram } from '../../../programs/token/state.ts';
import type { Commitment } from '../../../solana/commitment.ts';
import { type AccountFilter, testOfFilters, verifyFilters } from '../../accounts/account-filter.ts';
import { invalidParams } from '../../errors.ts';
import { accountInfoConfig, programAccountsConfig } from '../../methods/account-methods.ts';
import {
  bool,
  flattenedCommitment,
  optional,
  sequence,
  string,
  struct,
  tagged,
} from '../../params/readers.ts';
import { changedAccounts, changesWithSlots, inSlot, SLOT_BEGAN, type Source } from '../feeds.ts';
import { defineSubscription, parseAddress, parseSignature } from '../subscription-method.ts';

/**
 * `accountSubscribe([address, config?])`: reports every change of an account. A deleted account has no
 * lamports, no data and the system program as owner. `dataSlice` and `minContextSlot` have no effect, as in
 * Agave.
 */
export const accountSubscribe = defineSubscription(
  'accountSubscribe',
  { required: [string], optional: [accountInfoConfig] },
  ({ ledger }, text, config) => {
    const address = parseAddress(text, 'pubkey');
    const encoding = config?.encoding ?? 'binary';
    const ofAccount: Source = { kind: 'account', of: address };
    return {
      // The commitment has no effect, but Agave gives each commitment a separate subscription id.
      key: `account ${address} ${encoding} ${config?.commitment ?? 'finalized'}`,
      notification: 'accountNotification',
      sources: changesWithSlots(address) ? [ofAccount, SLOT_BEGAN] : [ofAccount],
      results: (event, texts) =>
        changedAccounts(event, ledger)
          .filter(([changed]) => changed === address)
          .map(([, account]) => inSlot(event.slot, texts.write(address, account, encoding))),
    };
  },
);

/**
 * `programSubscribe([program, config?])`: reports every change of a program's accounts that pass the filters.
 * As in Agave, a deleted account belongs to the system program, and the context is always present. With
 * `jsonParsed`, accounts of the token programs are reported only if they can be parsed, also as in Agave.
 */
export const programSubscribe = defineSubscription(
  'programSubscribe',
  { required: [string], optional: [programAccountsConfig] },
  ({ ledger }, text, config) => {
    const filters = verifyFilters(config?.filters ?? []);
    const program = parseAddress(text, 'pubkey');
    const encoding = config?.encoding ?? 'binary';
    const onlyParsed = encoding === 'jsonParsed' && isTokenProgram(program);
    const passes = testOfFilters(filters);
    const ofProgram: Source = { kind: 'program', of: program };
    return {
      key: [
        'program',
        program,
        encoding,
        config?.commitment ?? 'finalized',
        config?.withContext ?? false,
        ...filters.map(filterKey),
      ].join(' '),
      notification: 'programNotification',
      sources: changesWithSlots(program) ? [ofProgram, SLOT_BEGAN] : [ofProgram],
      results: (event, texts) =>
        changedAccounts(event, ledger)
          .filter(([, { owner, data }]) => owner === program && passes(data))
          .filter(([address, account]) => !onlyParsed || texts.isParsed(address, account))
          .map(([address, account]) => {
            const shown = texts.write(address, account, encoding);
            return inSlot(event.slot, `{"pubkey":"${address}","account":${shown}}`);
          }),
    };
  },
);

function filterKey(filter: AccountFilter): string {
  if (filter.kind !== 'memcmp') return Object.values(filter).join(':');
  return `memcmp:${filter.offset}:${Buffer.from(filter.bytes).toString('hex')}`;
}

/** Reads Agave's `RpcTransactionLogsFilter`. */
const logsFilter = tagged<'all' | 'allWithVotes' | readonly string[]>({
  all: { unit: 'all' },
  allWithVotes: { unit: 'allWithVotes' },
  mentions: { content: sequence(string) },
});

/** Reads Agave's `RpcTransactionLogsConfig`. */
const logsConfig = struct<{ readonly commitment: Commitment | undefined }>(
  'RpcTransactionLogsConfig',
  { commitment: flattenedCommitment },
  { hasFlattened: true },
);

/**
 * `logsSubscribe([filter, config?])`: reports the logs of all transactions, or only of those that mention an
 * address. This ledger has no votes, so `allWithVotes` equals `all`.
 */
export const logsSubscribe = defineSubscription(
  'logsSubscribe',
  { required: [logsFilter], optional: [logsConfig] },
  (_node, wanted, config) => {
    const of = typeof wanted === 'string' ? wanted : onlyAddress(wanted);
    return {
      key: `logs ${of} ${config?.commitment ?? 'finalized'}`,
      notification: 'logsNotification',
      sources: [typeof wanted === 'string' ? EVERY_TRANSACTION : { kind: 'mention', of }],
      results(event) {
        if (event.kind !== 'transaction') return [];
        const { signature, err, logs } = event.record;
        return [inSlot(event.slot, writeJson({ signature, err, logs }))];
      },
    };
  },
);

const EVERY_TRANSACTION: Source = { kind: 'transaction', of: '' };

function onlyAddress(mentions: readonly string[]): string {
  const [only] = mentions;
  if (only === undefined || mentions.length > 1) {
    throw invalidParams('Invalid Request: Only 1 address supported');
  }
  return parseAddress(only, 'mentions');
}

/** Reads Agave's `RpcSignatureSubscribeConfig`. */
const signatureConfig = struct<{
  readonly commitment: Commitment | undefined;
  readonly enableReceivedNotification: boolean | undefined;
}>(
  'RpcSignatureSubscribeConfig',
  { commitment: flattenedCommitment, enableReceivedNotification: optional(bool) },
  { hasFlattened: true },
);

/**
 * `signatureSubscribe([signature, config?])`: reports once whether the transaction failed, and ends. Reports
 * a landed transaction immediately. With `enableReceivedNotification`, first reports that the transaction was
 * received. It is open to anyone who knows the signature, like `getSignatureStatuses`.
 */
export const signatureSubscribe = defineSubscription(
  'signatureSubscribe',
  { required: [string], optional: [signatureConfig] },
  ({ ledger }, text, config) => {
    const signature = parseSignature(text);
    const reportsReceived = config?.enableReceivedNotification ?? false;
    return {
      key: `signature ${signature} ${reportsReceived} ${config?.commitment ?? 'finalized'}`,
      notification: 'signatureNotification',
      sources: [{ kind: 'signature', of: signature }],
      endsAfterFirst: true,
      isForAll: true,
      results(event) {
        if (event.kind !== 'transaction') return [];
        const { slot, record } = event;
        const processed = inSlot(slot, writeJson({ err: record.err }));
        return reportsReceived ? [inSlot(slot, '"receivedSignature"'), processed] : [processed];
      },
      past() {
        const record = ledger.getTransaction(signature);
        return record && { kind: 'transaction', slot: record.slot, record, changes: [] };
      },
    };
  },
);
