import { describe, expect, it } from 'vitest';
import { EPHEMERAL_TOKEN_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../../programs/addresses.ts';
import { deriveAta } from '../../../programs/associated-token.ts';
import { concat } from '../../../programs/instruction-data.ts';
import {
  initShuttle,
  mergeShuttle,
  undelegateAndCloseShuttle,
} from '../../../programs/ephemeral-token/layout-b/shuttle.ts';
import { deriveEata, deriveShuttleMetadata } from '../../../programs/ephemeral-token/pdas.ts';
import type { Account } from '../../../solana/account.ts';
import { addressBytes, type Address } from '../../../solana/address.ts';
import { RENT_PDA } from '../../fees/shuttle-costs.ts';
import {
  accountOf,
  explainInstructions,
  found,
  key,
  OWNER,
  THIEF,
  words,
} from '../testing/explain-instructions.ts';

const DANGER = 'danger DANGEROUS_INSTRUCTION';
const ataOf = (owner: Address): Address => deriveAta(owner, USDC_MINT, TOKEN_PROGRAM).address;

function shuttleOf(owner: Address) {
  const metadata = deriveShuttleMetadata(owner, USDC_MINT, 7).address;
  return { metadata, eata: deriveEata(metadata, USDC_MINT).address, walletAta: ataOf(metadata) };
}

const context = { owners: [OWNER, THIEF], mints: [USDC_MINT] };

describe('a shuttle', () => {
  const open = (owner: Address) =>
    explainInstructions(
      [
        initShuttle(
          { payer: OWNER, shuttle: shuttleOf(owner), owner, mint: USDC_MINT, tokenProgram: TOKEN_PROGRAM },
          7,
        ),
      ],
      context,
    );

  it('is a danger when it is opened for another, and none for oneself', () => {
    expect(found(open(THIEF))).toEqual([DANGER]);
    expect(words(open(THIEF))).toContain(`${THIEF}, who does not sign, would have it`);
    expect(found(open(OWNER))).toEqual([]);
  });

  const merge = (to: Address) =>
    explainInstructions(
      [
        mergeShuttle({
          owner: OWNER,
          destinationAta: ataOf(to),
          shuttle: shuttleOf(OWNER),
          mint: USDC_MINT,
          tokenProgram: TOKEN_PROGRAM,
        }),
      ],
      context,
    );

  it("is a danger when it is merged into another's account, and none into one's own", () => {
    expect(found(merge(THIEF))).toEqual([DANGER]);
    expect(words(merge(THIEF))).toContain(`of ${THIEF}, who does not sign`);
    expect(found(merge(OWNER))).toEqual([]);
  });

  const close = (to: Address, accounts: ReadonlyMap<Address, Account> = new Map()) =>
    explainInstructions(
      [
        undelegateAndCloseShuttle(
          {
            payer: OWNER,
            rentPda: RENT_PDA,
            shuttle: shuttleOf(THIEF),
            ownerAta: ataOf(to),
            tokenProgram: TOKEN_PROGRAM,
          },
          null,
        ),
      ],
      { ...context, accounts },
    );

  it("is a danger when it is closed in another's favour, and none in one's own", () => {
    expect(found(close(THIEF))).toEqual([DANGER]);
    expect(found(close(OWNER))).toEqual([]);
    expect(words(close(key(3)))).toContain('of which nothing tells whose it is');
  });

  it("is none when it is closed in its own owner's favour by the chain's word", () => {
    const metadata = concat(
      addressBytes(THIEF),
      addressBytes(RENT_PDA),
      Uint8Array.of(7, 0, 0, 0, 255, 0, 0, 0),
    );
    const accounts = new Map([[shuttleOf(THIEF).metadata, accountOf(EPHEMERAL_TOKEN_PROGRAM, metadata)]]);
    expect(found(close(THIEF, accounts))).toEqual([]);
  });
});
