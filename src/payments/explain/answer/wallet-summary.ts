import type { Address } from '../../../solana/address.ts';
import type { Effect } from '../effects.ts';
import type { Explanation } from './explanation-schema.ts';
import type { SignerState } from '../signatures.ts';

type Effects = Explanation['effects'];

/**
 * What leaves and what enters one wallet by all instructions together. The first signer pays the fee.
 * Lamports that its signature takes out of other accounts are counted as its own: else they would make up for
 * what it gives away.
 */
export function summarizeWallet(
  wallet: Address,
  { effects, raw }: { readonly effects: Effects; readonly raw: readonly Effect[] },
  signers: readonly SignerState[],
): NonNullable<Explanation['wallet']> {
  const moved = effects.lamports
    .filter(({ address }) => address === wallet)
    .reduce((sum, { change }) => sum + BigInt(change), 0n);
  const rent = effects.accountsCreated
    .filter(({ payer, exists }) => payer === wallet && exists !== true)
    .reduce((sum, { lamports }) => sum + BigInt(lamports), 0n);
  const spent = raw.reduce(
    (sum, effect) =>
      effect.kind === 'lamports' && effect.spent?.by === wallet && effect.address !== wallet
        ? sum + effect.spent.lamports
        : sum,
    0n,
  );
  const fee = signers[0]?.address === wallet ? BigInt(effects.networkFeeLamportsMax ?? 0) : 0n;
  return {
    address: wallet,
    signs: signers.some(({ address }) => address === wallet),
    tokens: effects.tokens.filter(({ owner }) => owner === wallet),
    lamportsMin: (moved - spent - rent - fee).toString(),
  };
}
