import { isTokenProgram } from '../../../programs/token/token-program.ts';
import { testOfFilters, verifyFilters, type AccountFilter } from '../../accounts/account-filter.ts';
import { programAccountsConfig } from '../../methods/get-program-accounts.ts';
import { string } from '../../params/primitives.ts';
import { changedAccounts, changesWithSlots } from '../changed-accounts.ts';
import { parseAddress } from '../keys.ts';
import { defineSubscription } from '../subscription-method.ts';
import { inSlot, SLOT_BEGAN, type Source } from '../topic.ts';

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
      results: (happening, texts) =>
        changedAccounts(happening, ledger)
          .filter(([, { owner, data }]) => owner === program && passes(data, 0, data.length))
          .filter(([address, account]) => !onlyParsed || texts.isParsed(address, account))
          .map(([address, account]) => {
            const shown = texts.write(address, account, encoding);
            return inSlot(happening.slot, `{"pubkey":"${address}","account":${shown}}`);
          }),
    };
  },
);

function filterKey(filter: AccountFilter): string {
  if (filter.kind !== 'memcmp') return Object.values(filter).join(':');
  return `memcmp:${filter.offset}:${Buffer.from(filter.bytes).toString('hex')}`;
}
