import { readTokenAmount } from '../../ledger/state/token-keys.ts';
import { decodeMint, decodeTokenAccount, isTokenProgram } from '../../programs/token/state.ts';
import { largestAccounts } from '../accounts/largest-accounts.ts';
import { readMint } from '../accounts/mint.ts';
import { defineTokenAccountsMethod } from '../accounts/token-accounts-method.ts';
import { showTokenAmount, tokenUnit } from '../accounts/token-unit.ts';
import { invalidParams } from '../errors.ts';
import { commitmentConfig } from '../params/configs.ts';
import { verifyAddress } from '../params/keys.ts';
import { baseUnits, string } from '../params/primitives.ts';
import { defineMethod, defineScan, type RpcMethod } from '../rpc-method.ts';
import { inContext, readHead } from '../rpc-node.ts';
import { takeSnapshot } from '../scan/snapshot.ts';

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

/**
 * `getTokenAccountsByDelegate([delegate, { mint } or { programId }, config?])`: the token accounts a delegate
 * may spend from.
 */
const getTokenAccountsByDelegate = defineTokenAccountsMethod('getTokenAccountsByDelegate', 'delegate');

/** `getTokenAccountsByOwner([owner, { mint } or { programId }, config?])`: the token accounts of a wallet. */
export const getTokenAccountsByOwner = defineTokenAccountsMethod('getTokenAccountsByOwner', 'owner');

/**
 * `getTokenLargestAccounts([mint, config?])`: the largest token accounts of a mint, frozen and empty ones
 * included.
 */
export const getTokenLargestAccounts = defineScan(
  'getTokenLargestAccounts',
  { required: [string], optional: [commitmentConfig] },
  function* (node, text) {
    const mint = verifyAddress(text);
    const { slot } = readHead(node, undefined);
    const { tokenProgram, unit } = readMint(node.ledger, mint);
    if (!isTokenProgram(tokenProgram)) throw invalidParams('Invalid param: not a Token mint');
    const ofMint = { holder: 'mint', address: mint, program: tokenProgram } as const;
    const accounts = yield* takeSnapshot(node.ledger.tokenAccounts(ofMint));
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
 * string) to the owner's associated token account, which is created if missing. Returns the signature. Exists
 * on this ledger only.
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

/** Methods that read tokens, and the faucet for them. */
export const TOKEN_METHODS: readonly RpcMethod[] = [
  getTokenAccountBalance,
  getTokenAccountsByDelegate,
  getTokenAccountsByOwner,
  getTokenLargestAccounts,
  getTokenSupply,
  requestTokenAirdrop,
];
