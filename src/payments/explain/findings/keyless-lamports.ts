import { NATIVE_MINT, STAKE_PROGRAM, SYSTEM_PROGRAM, VOTE_PROGRAM } from '../../../programs/addresses.ts';
import { deriveVault } from '../../../programs/ephemeral-token/pdas.ts';
import { decodeMint } from '../../../programs/token/state.ts';
import { isTokenProgram } from '../../../programs/token/token-program.ts';
import { addressBytes, type Address } from '../../../solana/address.ts';
import { isOnCurve } from '../../../solana/curve.ts';
import { isKnownProgram } from '../../accounts/wallet.ts';
import { RENT_PDA } from '../../fees/shuttle-costs.ts';
import { COMMON_MINT_ADDRESSES, describeLamports } from '../address-book.ts';
import type { Context } from '../context.ts';
import { CREATING } from '../created-accounts.ts';
import type { ExplainedCall } from '../explain-calls.ts';
import type { Finding } from '../finding.ts';

/** Programs whose accounts have somebody who may withdraw their lamports. */
const WITHDRAWABLE: ReadonlySet<Address> = new Set([SYSTEM_PROGRAM, STAKE_PROGRAM, VOTE_PROGRAM]);

type Judgement = Pick<Finding, 'level'> & { readonly what: string };

/** Lamports that are sent where no key can take them out. What a program takes as its fee is its own. */
export function keylessFindings(calls: readonly ExplainedCall[], context: Context): Finding[] {
  return calls.flatMap(({ call, matched, effects }, instruction) => {
    const isPayment = call.program === SYSTEM_PROGRAM || isTokenProgram(call.program);
    if (!isPayment || matched === null || CREATING.has(matched.form.action)) return [];
    return effects.flatMap((effect) => {
      if (effect.kind !== 'lamports' || effect.change <= 0n) return [];
      const { address, change } = effect;
      const judged = judge(address, context, isSigner(calls));
      if (judged === null) return [];
      const message = `Instruction ${instruction} (${matched.form.action}): ${describeLamports(change)} go to ${address}, ${judged.what}.`;
      return [{ level: judged.level, code: 'RECIPIENT_KEYLESS' as const, message, instruction }];
    });
  });
}

const isSigner =
  (calls: readonly ExplainedCall[]) =>
  (wallet: Address): boolean =>
    calls.some(({ call }) => call.accounts.some(({ address, signer }) => signer && address === wallet));

/** Null for what may well be paid. */
function judge(
  address: Address,
  { accounts, book, mints }: Context,
  signs: (wallet: Address) => boolean,
): Judgement | null {
  if (address === RENT_PDA || signs(address)) return null;
  const holding = book.holding(address);
  if (holding?.mint === NATIVE_MINT) {
    return signs(holding.owner)
      ? null
      : caution(`the token account of wrapped SOL of ${holding.owner}, who alone gets them`);
  }
  const account = accounts.get(address);
  if (isKnownProgram(address) || account?.executable === true) return danger('a program');
  const isMint = book.mint(address) !== undefined || (account && decodeMint(account.data) !== null);
  if (isMint === true) return danger('a mint');
  // A holding that only its address implies may be an eATA or a wallet's other account.
  if (holding !== undefined && (!account || isTokenProgram(account.owner))) {
    return danger(
      `a token account of mint ${holding.mint}: they are no tokens there, and come out only when its holder ${holding.owner} closes it`,
    );
  }
  if (account && !WITHDRAWABLE.has(account.owner)) {
    // Of these it is known that they give back nothing that was sent to their accounts; others, such as those
    // of tips and of multisigs, have ways to.
    return isKnownProgram(account.owner) && !isOnCurve(addressBytes(address))
      ? danger(`an account of program ${account.owner}`)
      : caution(`an account of program ${account.owner}: only that program can give them back`);
  }
  if (isOnCurve(addressBytes(address))) return null;
  const isVault = [...COMMON_MINT_ADDRESSES, ...mints].some((mint) => deriveVault(mint).address === address);
  return isVault
    ? danger('a vault of private balances')
    : caution('which is no wallet: only a program that owns the address, as a multisig does, can take them');
}

const danger = (what: string): Judgement => ({
  level: 'danger',
  what: what.includes(':') ? what : `${what}: no key can take them out again`,
});
const caution = (what: string): Judgement => ({ level: 'caution', what });
