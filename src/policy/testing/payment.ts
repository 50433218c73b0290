import type { JudgedExplanation } from '../spending.ts';

export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
export const PAYER = '5inNvZhedNg28nwPSdZQ2tJue9VtDxgyf1oiSGbhHxuw';
export const SHOP = 'D95nE5MMKymLi53pz489XgP5YcL1jx7BqYg58DbfHMvu';
export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

interface Payment {
  readonly amount?: bigint;
  readonly to?: string;
  readonly lamports?: bigint;
  readonly findings?: JudgedExplanation['findings'];
}

/** The explanation of a payment of USDC from {@link PAYER}, for which it also pays `lamports`. */
export function explainedPayment({
  amount = 100n,
  to = SHOP,
  lamports = 0n,
  findings = [],
}: Payment = {}): JudgedExplanation {
  const change = (owner: string, by: bigint) => ({
    owner,
    account: `account of ${owner}`,
    mint: USDC,
    held: null,
    change: String(by),
  });
  return {
    chainRead: true,
    signers: [{ address: PAYER }],
    wallet: { address: PAYER, tokens: [change(PAYER, -amount)], lamportsMin: String(-lamports) },
    effects: { tokens: [change(PAYER, -amount), change(to, amount)], lamports: [] },
    instructions: [{ programId: TOKEN, accounts: [], fields: [] }],
    findings,
  };
}
