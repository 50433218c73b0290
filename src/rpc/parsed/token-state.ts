import type { JsonOutput } from '../../json/write-json.ts';
import { decodeMint, decodeTokenAccount, type Mint, type TokenAccount } from '../../programs/token/state.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { Unparsable } from '../../solana/byte-reader.ts';
import { findTokenUnit, showTokenAmount } from '../accounts/token-amount.ts';
import type { AccountBytes } from './parse-account.ts';
import { showExtensions } from './token-extensions.ts';

/** SPL Token `Multisig`: m, n, is_initialized, then eleven addresses, zero if unused. */
const MULTISIG_BYTES = 355;
const SIGNERS_AT = 3;
const SIGNERS_MAX = 11;

interface TokenMultisig {
  readonly requiredSigners: number;
  readonly validSigners: number;
  readonly signers: readonly Address[];
}

/** Decodes an initialised multisig of the token programs; null for other bytes. */
function decodeTokenMultisig(data: Uint8Array): TokenMultisig | null {
  if (data.length !== MULTISIG_BYTES || data[2] !== 1) return null;
  const signers: Address[] = [];
  for (let index = 0; index < SIGNERS_MAX; index++) {
    const at = SIGNERS_AT + index * 32;
    const bytes = data.subarray(at, at + 32);
    if (bytes.some((byte) => byte !== 0)) signers.push(addressOf(bytes));
  }
  return { requiredSigners: data[0] as number, validSigners: data[1] as number, signers };
}

/**
 * Shows an account of SPL Token or Token-2022 as Agave does (`parse_token`).
 *
 * @throws {Unparsable} if the bytes are not an account, a mint or a multisig, or if the mint of an account is
 *   missing.
 */
export function parseTokenState(bytes: AccountBytes): JsonOutput {
  const { data } = bytes;
  const account = decodeTokenAccount(data);
  if (account !== null) return showTokenAccount(account, bytes);
  const mint = decodeMint(data);
  if (mint !== null) return showMint(mint, data);
  const multisig = decodeTokenMultisig(data);
  if (multisig === null) throw new Unparsable('no token state');
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

function showTokenAccount(account: TokenAccount, { data, lookUp }: AccountBytes): JsonOutput {
  const unit = findTokenUnit(account.mint, lookUp);
  if (unit === undefined) throw new Unparsable('no mint');
  const extensions = showExtensions(data);
  const hasDelegate = account.delegate !== null;
  const { rentExemptReserve } = account;
  return {
    info: {
      closeAuthority: account.closeAuthority ?? undefined,
      delegate: account.delegate ?? undefined,
      delegatedAmount: hasDelegate ? showTokenAmount(account.delegatedAmount, unit) : undefined,
      extensions: extensions.length > 0 ? extensions : undefined,
      isNative: rentExemptReserve !== null,
      mint: account.mint,
      owner: account.owner,
      rentExemptReserve: rentExemptReserve === null ? undefined : showTokenAmount(rentExemptReserve, unit),
      state: account.state,
      tokenAmount: showTokenAmount(account.amount, unit),
    },
    type: 'account',
  };
}

function showMint(mint: Mint, data: Uint8Array): JsonOutput {
  const extensions = showExtensions(data);
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
