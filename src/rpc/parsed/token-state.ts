import { NATIVE_MINT } from '../../programs/addresses.ts';
import { decodeMint, decodeTokenAccount, type Mint, type TokenAccount } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { NATIVE_MINT_DECIMALS } from '../accounts/mint.ts';
import { uiTokenAmount } from '../accounts/ui-amount.ts';
import type { JsonOutput } from '../json/json-value.ts';
import { showExtensions } from './token-extensions.ts';
import { decodeTokenMultisig } from './token-multisig.ts';

/**
 * An account of SPL Token or Token-2022 in the `jsonParsed` form (Agave `parse_token`), or undefined when the bytes are
 * no account, mint or multisig, when the mint of an account cannot be found, or when there is an extension this node
 * does not know how to show.
 */
export function showTokenState(
  data: Uint8Array,
  lookUp: (address: Address) => Account | null,
): JsonOutput | undefined {
  const account = decodeTokenAccount(data);
  if (account !== null) return showTokenAccount(account, data, lookUp);
  const mint = decodeMint(data);
  if (mint !== null) return showMint(mint, data);
  const multisig = decodeTokenMultisig(data);
  if (multisig === null) return undefined;
  return {
    info: {
      isInitialized: true,
      numRequiredSigners: multisig.requiredSigners,
      numValidSigners: multisig.validSigners,
      signers: multisig.signers,
    },
    type: 'multisig',
  };
}

function showTokenAccount(
  account: TokenAccount,
  data: Uint8Array,
  lookUp: (address: Address) => Account | null,
): JsonOutput | undefined {
  const decimals = findDecimals(account.mint, lookUp);
  const extensions = showExtensions(data);
  if (decimals === undefined || extensions === undefined) return undefined;
  const hasDelegate = account.delegate !== null;
  const { rentExemptReserve } = account;
  return {
    info: {
      closeAuthority: account.closeAuthority ?? undefined,
      delegate: account.delegate ?? undefined,
      delegatedAmount: hasDelegate ? uiTokenAmount(account.delegatedAmount, decimals) : undefined,
      extensions: extensions.length > 0 ? extensions : undefined,
      isNative: rentExemptReserve !== null,
      mint: account.mint,
      owner: account.owner,
      rentExemptReserve: rentExemptReserve === null ? undefined : uiTokenAmount(rentExemptReserve, decimals),
      state: account.state,
      tokenAmount: uiTokenAmount(account.amount, decimals),
    },
    type: 'account',
  };
}

function showMint(mint: Mint, data: Uint8Array): JsonOutput | undefined {
  const extensions = showExtensions(data);
  if (extensions === undefined) return undefined;
  return {
    info: {
      decimals: mint.decimals,
      extensions: extensions.length > 0 ? extensions : undefined,
      freezeAuthority: mint.freezeAuthority,
      isInitialized: true,
      mintAuthority: mint.mintAuthority,
      supply: mint.supply.toString(),
    },
    type: 'mint',
  };
}

/** The decimals of a mint; undefined when there is none, or when its extensions may change how amounts are shown. */
function findDecimals(mint: Address, lookUp: (address: Address) => Account | null): number | undefined {
  if (mint === NATIVE_MINT) return NATIVE_MINT_DECIMALS;
  const data = lookUp(mint)?.data;
  return data === undefined || showExtensions(data) === undefined ? undefined : decodeMint(data)?.decimals;
}
