import { describe, expect, it } from 'vitest';
import {
  EPHEMERAL_TOKEN_PROGRAM,
  MEMO_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../../programs/addresses.ts';
import { deriveAta } from '../../../programs/associated-token.ts';
import {
  initShuttle,
  mergeShuttle,
  undelegateAndCloseShuttle,
} from '../../../programs/ephemeral-token/layout-b/testing/instructions.ts';
import { deriveEata, deriveShuttleMetadata } from '../../../programs/ephemeral-token/pdas.ts';
import { concat } from '../../../programs/instruction-data.ts';
import type { Account } from '../../../solana/account.ts';
import { type Address, addressBytes } from '../../../solana/address.ts';
import { type Instruction, signer } from '../../../solana/instruction.ts';
import { RENT_PDA } from '../../fees/costs.ts';
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

/** An instruction that only adds the thief as a signer. */
const BY_THIEF: Instruction = {
  programId: MEMO_PROGRAM,
  accounts: [signer(THIEF)],
  data: new TextEncoder().encode('a note'),
};

const context = { owners: [OWNER, THIEF], mints: [USDC_MINT] };

describe('a shuttle', () => {
  const open = (owner: Address, ...more: Instruction[]) =>
    explainInstructions(
      [
        initShuttle(
          { payer: OWNER, shuttle: shuttleOf(owner), owner, mint: USDC_MINT, tokenProgram: TOKEN_PROGRAM },
          7,
        ),
        ...more,
      ],
      context,
    );

  it('is a danger if it is opened for someone else, and no danger for oneself', () => {
    expect(found(open(THIEF))).toEqual([DANGER]);
    expect(words(open(THIEF))).toContain(`${THIEF}, who does not sign, would own it`);
    expect(found(open(OWNER))).toEqual([]);
  });

  it('is a danger if it is opened for another signer (bug: it was clear)', () => {
    expect(found(open(THIEF, BY_THIEF))).toEqual([DANGER]);
    expect(words(open(THIEF, BY_THIEF))).toContain(`${THIEF} would own it`);
    expect(found(open(OWNER, BY_THIEF))).toEqual([]);
  });

  const merge = (to: Address, ...more: Instruction[]) =>
    explainInstructions(
      [
        mergeShuttle({
          owner: OWNER,
          destinationAta: ataOf(to),
          shuttle: shuttleOf(OWNER),
          mint: USDC_MINT,
          tokenProgram: TOKEN_PROGRAM,
        }),
        ...more,
      ],
      context,
    );

  it("is a danger if it is merged into another wallet's account, but not into the signer's own", () => {
    expect(found(merge(THIEF))).toEqual([DANGER]);
    expect(words(merge(THIEF))).toContain(`of ${THIEF}, who does not own the shuttle`);
    expect(found(merge(OWNER))).toEqual([]);
  });

  it("is a danger if it is merged into another signer's account (bug: it was clear)", () => {
    expect(found(merge(THIEF, BY_THIEF))).toEqual([DANGER]);
    expect(found(merge(OWNER, BY_THIEF))).toEqual([]);
  });

  const close = (to: Address, accounts: ReadonlyMap<Address, Account> = new Map(), ...more: Instruction[]) =>
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
        ...more,
      ],
      { ...context, accounts },
    );

  it('is a danger if its closing pays another wallet, but not if it pays the signer', () => {
    expect(found(close(THIEF))).toEqual([DANGER]);
    expect(found(close(OWNER))).toEqual([]);
    expect(words(close(key(3)))).toContain('whose owner is unknown');
  });

  const shuttleAccount = (owner: Address) => {
    const tail = Uint8Array.of(7, 0, 0, 0, 255, 0, 0, 0);
    const metadata = concat(addressBytes(owner), addressBytes(RENT_PDA), tail);
    return new Map([[shuttleOf(THIEF).metadata, accountOf(EPHEMERAL_TOKEN_PROGRAM, metadata)]]);
  };

  it('is no danger if the chain shows that its own owner receives the rest', () => {
    expect(found(close(THIEF, shuttleAccount(THIEF)))).toEqual([]);
  });

  it("is a danger if it is closed in another signer's favor (bug: it was clear)", () => {
    expect(found(close(THIEF, shuttleAccount(OWNER), BY_THIEF))).toEqual([DANGER]);
    expect(found(close(THIEF, new Map(), BY_THIEF))).toEqual([DANGER]);
    expect(found(close(OWNER, shuttleAccount(OWNER), BY_THIEF))).toEqual([]);
  });
});
