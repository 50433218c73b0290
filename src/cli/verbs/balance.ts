import { formatBaseUnits } from '../../payments/mints/common-mints.ts';
import type { Address } from '../../solana/address.ts';
import { formatAmount, readScale, SOL_DECIMALS } from './amount.ts';
import { type Ledgers, withLedgers } from './ledgers.ts';
import type { VerbCall } from './verb-call.ts';
import { unusable, type VerbExit } from './verb-failure.ts';
import { sessionOf, signerOf } from './wallet-signer.ts';
import { ownerOf, readKeypair } from './wallet.ts';

/** Runs `balance [ADDRESS] [--private]`. It reads the nodes, not a service. */
export function runBalance(call: VerbCall): Promise<VerbExit> {
  const address = ownerOf(call);
  return withLedgers(call, async (ledgers) => {
    const { mint, decimals, unit } = await readScale(call, ledgers.chain);
    const isPrivate = call.has('private');
    const request = { address, mint };
    const reading = isPrivate ? readPrivate(call, ledgers, request) : ledgers.local.balance(request);
    const balance = await call.during('Reading the balance', reading);
    const lamports = isPrivate ? null : await readLamports(ledgers, address);
    call.report(
      {
        ...request,
        location: isPrivate ? 'ephemeral' : 'base',
        balance,
        decimals,
        uiAmount: formatBaseUnits(balance, decimals),
        ...(lamports !== null && { lamports }),
      },
      [
        formatAmount(balance, { mint, decimals, unit }),
        ...(lamports === null ? [] : [`${formatBaseUnits(lamports, SOL_DECIMALS)} SOL`]),
      ],
    );
    return 'done';
  });
}

/** Logs the wallet in and reads its private balance, which the rollup shows only to the owner. */
async function readPrivate(
  call: VerbCall,
  { target, chain, local }: Ledgers,
  request: { readonly address: Address; readonly mint: Address },
): Promise<bigint> {
  if (target.rollup === null) throw unusable('--private needs a rollup: pass its URL with --rollup');
  const isOwn = call.words.length === 0;
  const token = isOwn ? await sessionOf(call, chain, signerOf(readKeypair(call)).signer).token() : undefined;
  return await local.privateBalance(request, token);
}

async function readLamports({ chain }: Ledgers, address: Address): Promise<bigint> {
  const [account] = await chain.getAccounts([address]);
  return account?.lamports ?? 0n;
}
