import {
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../../src/programs/addresses.ts';
import { deriveAta } from '../../../src/programs/associated-token.ts';
import type { Address } from '../../../src/solana/address.ts';
import { type Kit, seededAddress, strange } from './kit.ts';
import { ALICE, THIEF, VALIDATOR } from './world-b.ts';

const [coin, token22] = [strange(101), strange(103)];

const ataOf = (owner: Address, mint: Address, program = TOKEN_PROGRAM): Address =>
  deriveAta(owner, mint, program).address;

/** Alice's kit on layout B, where only her USDC exists. */
export const KIT_B: Kit = {
  me: ALICE,
  thief: THIEF,
  validator: VALIDATOR,
  usdcAta: ataOf(ALICE, USDC_MINT),
  thiefAta: ataOf(THIEF, USDC_MINT),
  coin,
  coinAta: ataOf(ALICE, coin),
  thiefCoinAta: ataOf(THIEF, coin),
  emptyAta: ataOf(ALICE, strange(102)),
  wrappedAta: ataOf(ALICE, strange(104)),
  token22,
  ata22: ataOf(ALICE, token22, TOKEN_2022_PROGRAM),
  thiefAta22: ataOf(THIEF, token22, TOKEN_2022_PROGRAM),
  nonce: strange(111),
  oldNonce: strange(112),
  blankNonce: strange(113),
  table: strange(121),
  closableTable: strange(122),
  purse: seededAddress(ALICE, 'purse', SYSTEM_PROGRAM),
};
