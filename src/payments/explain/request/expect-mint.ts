import { TOKEN_2022_PROGRAM } from '../../../programs/addresses.ts';
import { CLOCK_SYSVAR } from '../../../programs/sysvars.ts';
import { decodeMintScale } from '../../../programs/token/state.ts';
import type { Address } from '../../../solana/address.ts';
import type { MintFacts } from '../../mints/mint-facts.ts';
import { decodeMintTerms, type MintTerms } from '../../mints/mint-terms.ts';
import type { ExpectationSource } from './expectation.ts';

/** The mint of a request, as its builder reads it. */
interface ExpectedMint {
  readonly facts: MintFacts;
  /** Null for a mint of SPL Token, or if no chain was read. */
  readonly terms: MintTerms | null;
  /** Whether the decimals are those of the mint: they are 0 where it could not be read. */
  readonly isRead: boolean;
}

/**
 * The mint of a request. Without a chain it is assumed to have no terms; the general doubt about chain state
 * covers that.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE if the terms of a Token-2022 mint cannot be read.
 */
export function expectMint(mint: Address, { facts, hints }: ExpectationSource): ExpectedMint {
  const tokenProgram = hints.tokenProgramOf(mint);
  const account = facts?.accounts.get(mint) ?? null;
  const decimals = (account === null ? null : decodeMintScale(account.data)?.decimals) ?? null;
  const known = { mint, tokenProgram, decimals: decimals ?? 0 };
  const isRead = decimals !== null;
  if (tokenProgram !== TOKEN_2022_PROGRAM || account === null) return { facts: known, terms: null, isRead };
  const clock = facts?.accounts.get(CLOCK_SYSVAR) ?? null;
  return { facts: known, terms: decodeMintTerms(known, account, clock), isRead };
}
