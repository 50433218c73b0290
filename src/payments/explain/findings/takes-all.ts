import { decodeTokenAccount } from '../../../programs/token/state.ts';
import { isTokenProgram } from '../../../programs/token/token-program.ts';
import type { Address } from '../../../solana/address.ts';
import { describeLamports } from '../address-book.ts';
import type { Context } from '../context.ts';
import { totalEffects, type Effect, type TokenEffect } from '../effects.ts';
import type { ExplainedCall } from '../explain-calls.ts';
import type { Finding } from '../finding.ts';

/** From this part of a signer's lamports on all of them count as taken, percent: some are for fees. */
const ALL_PERCENT = 99n;

/** Signers whose whole balance leaves them. What was asked for says so itself. */
export function takesAllFindings(calls: readonly ExplainedCall[], context: Context): Finding[] {
  const signers = new Set(
    calls.flatMap(({ call }) =>
      call.accounts.flatMap(({ address, signer }) => (signer && address !== null ? [address] : [])),
    ),
  );
  const effects = calls.flatMap((call) => call.effects);
  return [...signers].flatMap((signer) =>
    takenTokens(signer, effects, context).concat(takenLamports(signer, effects, context)),
  );
}

function takenTokens(signer: Address, effects: readonly Effect[], { accounts, book, location }: Context) {
  const own = effects.filter(
    (effect): effect is TokenEffect =>
      effect.kind === 'tokens' && effect.owner === signer && effect.isConverted !== true,
  );
  const mints = new Set(own.flatMap(({ mint }) => mint ?? []));
  return [...mints].flatMap((mint) => {
    const moved = own.filter((effect) => effect.mint === mint);
    // What goes to another place of the same owner, as a deposit, does not leave.
    if (moved.reduce((sum, { change }) => sum + (change ?? 0n), 0n) >= 0n) return [];
    const leaving = totalEffects(moved.filter((effect) => effect.location === location)).tokens;
    const drained = leaving.filter(({ account, change }) => {
      const held = account === null ? null : accounts.get(account);
      if (!held || !isTokenProgram(held.owner) || change === null) return false;
      const amount = decodeTokenAccount(held.data)?.amount ?? 0n;
      return amount > 0n && -change >= amount;
    });
    return drained.map(({ change }) => takesAll(signer, book.tokens(-(change ?? 0n), mint)));
  });
}

function takenLamports(signer: Address, effects: readonly Effect[], { accounts }: Context): Finding[] {
  const held = accounts.get(signer)?.lamports ?? 0n;
  const taken = -effects.reduce((sum, effect) => {
    if (effect.kind === 'lamports' && effect.address === signer) return sum + effect.change;
    // Lamports that are wrapped are still the signer's.
    const isWrapped = effect.kind === 'tokens' && effect.isConverted === true && effect.owner === signer;
    return isWrapped ? sum + (effect.change ?? 0n) : sum;
  }, 0n);
  return taken > 0n && taken * 100n >= held * ALL_PERCENT && held > 0n
    ? [takesAll(signer, describeLamports(taken))]
    : [];
}

const takesAll = (signer: Address, what: string): Finding => ({
  level: 'caution',
  code: 'TAKES_ALL',
  message: `All that ${signer} has of it leaves it: ${what}.`,
});
