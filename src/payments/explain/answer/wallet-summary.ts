import type { Address } from '../../../solana/address.ts';
import { totalEffects, type Effect, type TokenEffect } from '../effects.ts';
import type { Explanation } from './explanation-schema.ts';
import type { SignerState } from '../signatures.ts';

type Effects = Explanation['effects'];
type Wallet = NonNullable<Explanation['wallet']>;

/** What a wallet is summed up from. */
interface WalletEffects {
  readonly effects: Effects;
  readonly raw: readonly Effect[];
  readonly present: (total: TokenEffect) => Wallet['tokens'][number];
}

/**
 * What leaves and what enters one wallet by all instructions together. The first signer pays the fee.
 * Lamports that its signature takes out of other accounts are counted as its own: else they would make up for
 * what it gives away. What it wraps and unwraps stays its own, so that SOL which is wrapped to be paid counts
 * once, as tokens.
 */
export function summarizeWallet(
  wallet: Address,
  { effects, raw, present }: WalletEffects,
  signers: readonly SignerState[],
): Wallet {
  const moved = effects.lamports
    .filter(({ address }) => address === wallet)
    .reduce((sum, { change }) => sum + BigInt(change), 0n);
  const rents = effects.accountsCreated.flatMap(({ payer, exists, lamports }) =>
    payer === wallet && exists !== true ? [lamports] : [],
  );
  const rent = rents.reduce((sum, lamports) => sum + BigInt(lamports ?? 0), 0n);
  const spent = raw.reduce(
    (sum, effect) =>
      effect.kind === 'lamports' && effect.spent?.by === wallet && effect.address !== wallet
        ? sum + effect.spent.lamports
        : sum,
    0n,
  );
  const fee = signers[0]?.address === wallet ? BigInt(effects.networkFeeLamportsMax ?? 0) : 0n;
  const own = raw.filter(
    (effect): effect is TokenEffect => effect.kind === 'tokens' && effect.owner === wallet,
  );
  const converted = own.reduce(
    (sum, { isConverted, change }) => (isConverted === true ? sum + (change ?? 0n) : sum),
    0n,
  );
  return {
    address: wallet,
    signs: signers.some(({ address }) => address === wallet),
    tokens: totalEffects(own.filter(({ isConverted }) => isConverted !== true)).tokens.map(present),
    lamportsMin: rents.includes(null) ? null : (moved - spent - rent - fee + converted).toString(),
  };
}
