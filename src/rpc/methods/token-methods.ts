import type { TokenAccountQuery } from '../../ledger/ledger.ts';
import { readTokenAmount } from '../../ledger/state/accounts.ts';
import { decodeMint, decodeTokenAccount, isTokenProgram } from '../../programs/token/state.ts';
import type { Address } from '../../solana/address.ts';
import { accountsView } from '../accounts/account-encoding.ts';
import { largestAccounts, showFoundAccounts } from '../accounts/account-lists.ts';
import { readMint, showTokenAmount, tokenUnit, type TokenUnit } from '../accounts/token-amount.ts';
import { invalidParams } from '../errors.ts';
import { baseUnits, commitmentConfig, string, tagged, verifyAddress } from '../params/readers.ts';
import {
  defineMethod,
  defineScan,
  inContext,
  readHead,
  type RpcMethod,
  type RpcNode,
} from '../rpc-method.ts';
import { takeSnapshot } from '../scan/scan.ts';
import { accountInfoConfig } from './account-methods.ts';

/** Reads Agave's `RpcTokenAccountsFilter`. */
const tokenAccountsFilter = tagged<{ readonly by: 'mint' | 'programId'; readonly text: string }>({
  mint: { content: (value) => ({ by: 'mint', text: string(value) }) },
  programId: { content: (value) => ({ by: 'programId', text: string(value) }) },
});

/** Defines a method that lists token accounts of a wallet or a delegate, by mint or token program. */
function defineTokenAccountsMethod(name: string, holder: TokenAccountQuery['holder']): RpcMethod {
  return defineScan(
    name,
    { required: [string, tokenAccountsFilter], optional: [accountInfoConfig] },
    function* (node, text, filter, config) {
      const address = verifyAddress(text);
      const wanted = verifyAddress(filter.text);
      const { slot } = readHead(node, config);
      const program = filter.by === 'mint' ? readTokenMint(node, wanted).program : knownProgram(wanted);
      const query = filter.by === 'mint' ? { program, mint: wanted } : { program };
      const view = accountsView(config, 'binary', (other) => node.ledger.getAccount(other));
      const accounts = node.ledger.tokenAccounts({ holder, address, ...query });
      const shown = yield* showFoundAccounts(accounts, () => true, { program, view });
      return inContext(node, slot, shown);
    },
  );
}

function readTokenMint(
  node: RpcNode,
  mint: Address,
): { readonly program: Address; readonly unit: TokenUnit } {
  const { tokenProgram: program, unit } = readMint(node.ledger, mint);
  if (!isTokenProgram(program)) throw invalidParams('Invalid param: not a Token mint');
  return { program, unit };
}

function knownProgram(program: Address): Address {
  if (!isTokenProgram(program)) throw invalidParams('Invalid param: unrecognized Token program id');
  return program;
}

/** `getTokenAccountBalance([address, config?])`: the balance of a token account. */
const getTokenAccountBalance = defineMethod(
  'getTokenAccountBalance',
  { required: [string], optional: [commitmentConfig] },
  (node, text) => {
    const address = verifyAddress(text);
    const { slot } = readHead(node, undefined);
    const account = node.ledger.getAccount(address);
    if (account === null) throw invalidParams('Invalid param: could not find account');
    const holding = isTokenProgram(account.owner) ? decodeTokenAccount(account.data) : null;
    if (holding === null) throw invalidParams('Invalid param: not a Token account');
    const { unit } = readMint(node.ledger, holding.mint);
    return inContext(node, slot, showTokenAmount(holding.amount, unit));
  },
);

/** `getTokenAccountsByDelegate([delegate, { mint } or { programId }, config?])`: a delegate's accounts. */
const getTokenAccountsByDelegate = defineTokenAccountsMethod('getTokenAccountsByDelegate', 'delegate');

/** `getTokenAccountsByOwner([owner, { mint } or { programId }, config?])`: the token accounts of a wallet. */
export const getTokenAccountsByOwner = defineTokenAccountsMethod('getTokenAccountsByOwner', 'owner');

/** `getTokenLargestAccounts([mint, config?])`: the largest accounts, including frozen and empty accounts. */
export const getTokenLargestAccounts = defineScan(
  'getTokenLargestAccounts',
  { required: [string], optional: [commitmentConfig] },
  function* (node, text) {
    const mint = verifyAddress(text);
    const { slot } = readHead(node, undefined);
    const { program, unit } = readTokenMint(node, mint);
    const accounts = yield* takeSnapshot(
      node.ledger.tokenAccounts({ holder: 'mint', address: mint, program }),
    );
    const largest = yield* largestAccounts(accounts, ({ data }) => readTokenAmount(data));
    const value = largest.map(([address, amount]) =>
      Object.assign({ address }, showTokenAmount(amount, unit)),
    );
    return inContext(node, slot, value);
  },
);

/** `getTokenSupply([mint, config?])`: the supply of a token. */
const getTokenSupply = defineMethod(
  'getTokenSupply',
  { required: [string], optional: [commitmentConfig] },
  (node, text) => {
    const address = verifyAddress(text);
    const { slot } = readHead(node, undefined);
    const account = node.ledger.getAccount(address);
    if (account === null) throw invalidParams('Invalid param: could not find account');
    if (!isTokenProgram(account.owner)) throw invalidParams('Invalid param: not a Token mint');
    const mint = decodeMint(account.data);
    if (mint === null) throw invalidParams('Invalid param: mint could not be unpacked');
    const unit = tokenUnit(mint, account.data, (other) => node.ledger.getAccount(other));
    return inContext(node, slot, showTokenAmount(mint.supply, unit));
  },
);

/**
 * `requestTokenAirdrop([owner, mint, amount])`: mints `amount` base units (u64, as a number or a decimal
 * string) to the owner's associated token account, which is created if missing. Returns the signature. This
 * is not a method of Agave.
 */
export const requestTokenAirdrop = defineMethod(
  'requestTokenAirdrop',
  { required: [string, string, baseUnits], optional: [] },
  (node, ownerText, mintText, amount) => {
    const owner = verifyAddress(ownerText);
    const mint = verifyAddress(mintText);
    return node.ledger.airdropTokens(owner, mint, amount);
  },
);

/** Methods that read tokens, and the token faucet. */
export const TOKEN_METHODS: readonly RpcMethod[] = [
  getTokenAccountBalance,
  getTokenAccountsByDelegate,
  getTokenAccountsByOwner,
  getTokenLargestAccounts,
  getTokenSupply,
  requestTokenAirdrop,
];
