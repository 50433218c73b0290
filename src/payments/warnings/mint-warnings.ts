import type { Warning } from '../building/built-transaction.ts';
import { describeTokens } from '../mints/common-mints.ts';
import type { MintFacts } from '../mints/mint-facts.ts';
import { withheldOf, type MintTerms } from '../mints/mint-terms.ts';

/** How a transaction uses a mint, as far as the mint's terms matter. */
export interface MintUse {
  /** Base units that arrive, before the mint withholds a part. */
  readonly amount: bigint;
  /** Whether it may create token accounts. */
  readonly creates: boolean;
}

/** Warnings about what a Token-2022 mint does besides the built transfer; empty for SPL Token. */
export function warnOfMint(facts: MintFacts, terms: MintTerms | null, use: MintUse): Warning[] {
  if (terms === null) return [];
  const { mint } = facts;
  const { pausable, permanentDelegate, defaultState, unknownTypes } = terms.extensions;
  const warnings = warnOfWithheld(facts, terms, use.amount);
  const warn = (code: string, message: string): unknown => warnings.push({ code, message });
  if (pausable?.paused === true) {
    warn(
      'MINT_PAUSED',
      `mint ${mint} is paused: the transaction fails until ${pausable.authority ?? 'nobody'} resumes it.`,
    );
  }
  if (permanentDelegate !== null) {
    warn(
      'MINT_PERMANENT_DELEGATE',
      `${permanentDelegate} is the permanent delegate of mint ${mint} and may move and burn its tokens in every account, those of this transaction included.`,
    );
  }
  if (defaultState === 'frozen' && use.creates) {
    warn(
      'MINT_ACCOUNTS_BEGIN_FROZEN',
      `Token accounts of mint ${mint} begin frozen: where the transaction creates one that is to be paid, it fails. Have the account created and thawed by the mint's freeze authority first.`,
    );
  }
  if (unknownTypes.length > 0) {
    warn(
      'MINT_EXTENSION_UNKNOWN',
      `mint ${mint} has extensions of Token-2022 that are not known here (types ${unknownTypes.join(', ')}): what they do to the transaction cannot be told. Try it first (simulate).`,
    );
  }
  return warnings;
}

function warnOfWithheld(facts: MintFacts, terms: MintTerms, amount: bigint): Warning[] {
  const withheld = withheldOf(terms, amount);
  if (withheld === 0n) return [];
  return [
    {
      code: 'TRANSFER_FEE_WITHHELD',
      message: `mint ${facts.mint} withholds ${describeTokens(withheld, facts)} as its transfer fee, so that ${describeTokens(amount - withheld, facts)} arrive: ask for a larger amount if more should.`,
    },
  ];
}

/** How wallets' figures for a mint differ from this service's, which are base units and decimals only. */
export function notesOfMint({ mint }: MintFacts, terms: MintTerms | null): string[] {
  if (terms === null) return [];
  const { interestBearing, scaledUiAmount } = terms.extensions;
  const notes: string[] = [];
  if (interestBearing !== null) {
    notes.push(
      `Wallets may show larger figures: mint ${mint} accrues interest in what is shown. The figures here are without.`,
    );
  }
  if (scaledUiAmount !== null) {
    notes.push(
      `Wallets may show other figures: mint ${mint} multiplies what is shown. The figures here are not multiplied.`,
    );
  }
  return notes;
}
