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
 * `accountSubscribe([address, config?])`: the account at every change. A deleted account has no lamports, no
 * data and the system program as its owner. As in Agave, `dataSlice` and `minContextSlot` are read but have
 * no effect.
 */
export const accountSubscribe = defineSubscription(
  'accountSubscribe',
  { required: [string], optional: [accountInfoConfig] },
  ({ ledger }, text, config) => {
    const address = parseAddress(text, 'pubkey');
    const encoding = config?.encoding ?? 'binary';
    const ofAccount: Source = { kind: 'account', of: address };
    return {
      // The commitment changes nothing here, but in Agave it makes another subscription with an id of its
      // own.
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
 * `programSubscribe([program, config?])`: a program's accounts with their addresses, whenever one changes and
 * passes the filters. As in Agave, a deleted account belongs to the system program, the context is always
 * present, and with `jsonParsed` only those accounts of the token programs that can be parsed are reported.
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

/** Agave `RpcTransactionLogsFilter`. */
const logsFilter = tagged<'all' | 'allWithVotes' | readonly string[]>({
  all: { unit: 'all' },
  allWithVotes: { unit: 'allWithVotes' },
  mentions: { content: sequence(string) },
});

/** Agave `RpcTransactionLogsConfig`. */
const logsConfig = struct<{ readonly commitment: Commitment | undefined }>(
  'RpcTransactionLogsConfig',
  { commitment: flattenedCommitment },
  { hasFlattened: true },
);

/**
 * `logsSubscribe([filter, config?])`: the logs of all transactions, or of those that name one address among
 * all their keys. There are no votes on this ledger, so `allWithVotes` equals `all`.
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

/** Agave `RpcSignatureSubscribeConfig`. */
const signatureConfig = struct<{
  readonly commitment: Commitment | undefined;
  readonly enableReceivedNotification: boolean | undefined;
}>(
  'RpcSignatureSubscribeConfig',
  { commitment: flattenedCommitment, enableReceivedNotification: optional(bool) },
  { hasFlattened: true },
);

/**
 * `signatureSubscribe([signature, config?])`: reports once whether the transaction failed, immediately if it
 * has already landed, and then ends. With `enableReceivedNotification` it first reports that the transaction
 * was received. Like `getSignatureStatuses` it is open to anyone who knows the signature.
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
