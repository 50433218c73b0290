import type { LedgerClient } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { TOKEN_2022_PROGRAM } from '../../programs/addresses.ts';
import { CLOCK_SYSVAR, decodeEpoch } from '../../programs/sysvars.ts';
import {
  decodeMintExtensions,
  type MintExtensions,
  transferFeeOf,
} from '../../programs/token/mint-extensions.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { MintFacts } from './mint-facts.ts';

/** Effects of a Token-2022 mint on transfers, other than moving tokens. */
export interface MintTerms {
  readonly extensions: MintExtensions;
  /** The epoch of the ledger; null if it could not be read and makes no difference. */
  readonly epoch: bigint | null;
}

/**
 * Reads the current terms of a mint, all of which can change. Returns null without a read for SPL Token,
 * whose mints have no terms.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE if the mint's extensions cannot be read, or the clock that
 *   decides between its two transfer fees.
 */
export async function readMintTerms(node: LedgerClient, facts: MintFacts): Promise<MintTerms | null> {
  if (facts.tokenProgram !== TOKEN_2022_PROGRAM) return null;
  const [account = null, clock = null] = await node.getAccounts([facts.mint, CLOCK_SYSVAR]);
  return decodeMintTerms(facts, account, clock);
}

/**
 * Decodes the terms of a Token-2022 mint from the accounts of the mint and the clock.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE, like {@link readMintTerms}.
 */
export function decodeMintTerms(
  { mint, tokenProgram }: Pick<MintFacts, 'mint' | 'tokenProgram'>,
  account: Account | null,
  clock: Account | null,
): MintTerms {
  const extensions = account?.owner === tokenProgram ? decodeMintExtensions(account.data) : null;
  if (extensions === null) throw unreadable(`The extensions of mint ${mint} cannot be read`, mint);
  const epoch = decodeEpoch(clock);
  if (epoch === null && hasTwoFees(extensions)) {
    throw unreadable(
      `The clock ${CLOCK_SYSVAR}, which decides the transfer fee of mint ${mint}, cannot be read`,
      mint,
    );
  }
  return { extensions, epoch };
}

function hasTwoFees({ transferFee }: MintExtensions): boolean {
  if (transferFee === null) return false;
  const { older, newer } = transferFee;
  return older.basisPoints !== newer.basisPoints || older.maximumFee !== newer.maximumFee;
}

const unreadable = (message: string, mint: string): ServiceError =>
  new ServiceError('ACCOUNT_UNREADABLE', `${message}; try again`, { mint });

/** Computes the mint's fee for a transfer of `amount`, both in base units. */
export const withheldOf = ({ extensions, epoch }: MintTerms, amount: bigint): bigint =>
  transferFeeOf(extensions, epoch, amount).withheld;

/** Checks whether transfers must name the mint (Token-2022 `MintRequiredForTransfer`). */
export const needsCheckedTransfer = ({ extensions }: MintTerms): boolean =>
  extensions.transferFee !== null || extensions.pausable !== null || extensions.hasTransferHook;

/**
 * Rejects a mint with tokens that this service's transfers cannot move.
 *
 * @throws {ServiceError} UNSUPPORTED_MINT_EXTENSION.
 */
export function requireMovable({ mint }: MintFacts, terms: MintTerms | null): void {
  const { transferHook = null, nonTransferable = false } = terms?.extensions ?? {};
  if (nonTransferable) {
    throw unsupported(mint, 'NonTransferable', 'its tokens cannot be transferred; pass another mint');
  }
  if (transferHook !== null) {
    const why = `every transfer calls program ${transferHook} with accounts that only that program knows, so it cannot be built; pass another mint`;
    throw unsupported(mint, 'TransferHook', why);
  }
}

/**
 * Rejects a mint that withholds part of each transfer, now or from a later epoch. The vault would receive
 * less than the ephemeral token account is credited.
 *
 * @throws {ServiceError} UNSUPPORTED_MINT_EXTENSION.
 */
export function requireWhole({ mint }: MintFacts, terms: MintTerms | null): void {
  if (!withholds(terms)) return;
  const why =
    'it withholds part of every transfer, so the vault would receive less than is credited; pay with it publicly on base (fromBalance and toBalance "base", visibility "public"), or pass another mint';
  throw unsupported(mint, 'TransferFeeConfig', why);
}

/** Checks whether a mint withholds part of each transfer, now or from a later epoch. */
export function withholds(terms: MintTerms | null): boolean {
  const { older, newer } = terms?.extensions.transferFee ?? {};
  return [older, newer].some((fee) => fee !== undefined && fee.basisPoints !== 0 && fee.maximumFee !== 0n);
}

/** @param extension a name in `ExtensionType` of `spl-token-2022-interface`. */
const unsupported = (mint: string, extension: string, why: string): ServiceError =>
  new ServiceError(
    'UNSUPPORTED_MINT_EXTENSION',
    `mint ${mint} has the Token-2022 extension ${extension}: ${why}`,
    { field: 'mint', mint, extension },
  );

/** Describes how long transfers of a paused mint fail, as part of a sentence. */
export const untilResumed = ({ authority }: { readonly authority: Address | null }): string =>
  authority === null
    ? 'permanently, because it has no authority to resume it'
    : `until ${authority} resumes it`;
