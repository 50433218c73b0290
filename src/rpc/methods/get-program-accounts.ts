import type { AccountReads } from '../../ledger/ledger.ts';
import { TOKEN_2022_PROGRAM } from '../../programs/addresses.ts';
import { TOKEN_ACCOUNT_BYTES } from '../../programs/token/state.ts';
import { isTokenProgram } from '../../programs/token/token-program.ts';
import { ADDRESS_BYTES, addressOf, type Address } from '../../solana/address.ts';
import {
  accountFilter,
  testOfFilters,
  verifyFilters,
  type AccountFilter,
} from '../accounts/account-filter.ts';
import { accountsView } from '../accounts/accounts-view.ts';
import { showFoundAccounts, type KeyedAccount } from '../accounts/keyed-accounts.ts';
import { verifyAddress } from '../params/keys.ts';
import type { ParamReader } from '../params/param-reader.ts';
import { bool, sequence, string } from '../params/primitives.ts';
import { optional, struct } from '../params/struct.ts';
import { defineScan } from '../rpc-method.ts';
import { inContext, readHead } from '../rpc-node.ts';
import { accountInfoConfig } from './get-account-info.ts';

const ownConfig = struct(
  'RpcProgramAccountsConfig',
  {
    filters: optional(sequence(accountFilter)),
    sortResults: optional(bool),
    withContext: optional(bool),
  },
  { hasFlattened: true },
);

/** Agave `RpcProgramAccountsConfig`, which has `RpcAccountInfoConfig` flattened into it. */
export const programAccountsConfig: ParamReader<
  ReturnType<typeof ownConfig> & ReturnType<typeof accountInfoConfig>
> = (value) => Object.assign(ownConfig(value), accountInfoConfig(value));

/**
 * `getProgramAccounts([program, config?])`: the accounts a program owns, with their addresses. Data is a bare
 * base58 string by default.
 */
export const getProgramAccounts = defineScan(
  'getProgramAccounts',
  { required: [string], optional: [programAccountsConfig] },
  function* (node, text, config) {
    const program = verifyAddress(text);
    const filters = verifyFilters(config?.filters ?? []);
    const { slot } = readHead(node, config);
    const view = accountsView(config, 'binary', (address) => node.ledger.getAccount(address));
    const shown = yield* showFoundAccounts(
      candidates(node.ledger, program, filters),
      testOfFilters(filters),
      { program, view, isSorted: config?.sortResults !== false },
    );
    return config?.withContext === true ? inContext(node, slot, shown) : shown;
  },
);

/**
 * The accounts that may pass the filters: token accounts are looked up by wallet, or else by mint, if a
 * filter fixes one.
 */
function candidates(
  ledger: AccountReads,
  program: Address,
  filters: readonly AccountFilter[],
): Iterable<KeyedAccount> {
  if (!wantsTokenAccounts(program, filters)) return ledger.programAccounts(program);
  const owner = addressAt(filters, 32);
  const mint = addressAt(filters, 0);
  if (owner !== undefined) {
    return ledger.tokenAccounts({ holder: 'owner', address: owner, program, ...(mint && { mint }) });
  }
  if (mint !== undefined) return ledger.tokenAccounts({ holder: 'mint', address: mint, program });
  return ledger.programAccounts(program);
}

/** Whether the filters admit only token accounts (Agave `get_spl_token_owner_filter`). */
function wantsTokenAccounts(program: Address, filters: readonly AccountFilter[]): boolean {
  if (!isTokenProgram(program)) return false;
  return filters.some((filter) => {
    if (filter.kind === 'dataSize') return filter.byteCount === TOKEN_ACCOUNT_BYTES;
    if (filter.kind === 'tokenAccountState') return true;
    // Token-2022 stores the account type here if there are extensions: mint (1) or token account (2).
    return (
      program === TOKEN_2022_PROGRAM &&
      filter.offset === TOKEN_ACCOUNT_BYTES &&
      filter.bytes.length === 1 &&
      filter.bytes[0] === 2
    );
  });
}

/** The address a filter requires at `offset` of the data, if one does. */
function addressAt(filters: readonly AccountFilter[], offset: number): Address | undefined {
  for (const filter of filters) {
    if (filter.kind === 'memcmp' && filter.offset === offset && filter.bytes.length === ADDRESS_BYTES) {
      return addressOf(filter.bytes);
    }
  }
  return undefined;
}
