import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../ports/clock.ts';
import { createFund, type LocalFaucet } from '../../wallets/fund.ts';
import { decimalsOf, formatAmount, parseAmount, readScale, SOL_DECIMALS } from './amount.ts';
import { withLedgers } from './ledgers.ts';
import { callNode } from './node-rpc.ts';
import type { Target } from './target.ts';
import type { VerbCall } from './verb-call.ts';
import { unusable, type VerbExit } from './verb-failure.ts';
import { ownerOf } from './wallet.ts';

/** Default amount of SOL. */
const SOL = '1';
const TOKENS = '100';

/** Runs `fund [ADDRESS] [--sol N] [--tokens AMOUNT]`, only on localnet. */
export function runFund(call: VerbCall): Promise<VerbExit> {
  const wallet = ownerOf(call);
  return withLedgers(call, async ({ target, chain }) => {
    if (target.cluster !== 'localnet')
      throw unusable('fund works only on localnet, because it uses the faucet of localnet');
    const scale = await readScale(call, chain);
    const isNamed = call.has('sol') || call.has('tokens');
    const sol = call.valueOf('sol') ?? (isNamed ? undefined : SOL);
    const tokens = call.valueOf('tokens');
    const lamports = sol === undefined ? undefined : parseAmount(sol, SOL_DECIMALS, '--sol');
    const amount =
      tokens === undefined
        ? isNamed
          ? undefined
          : parseAmount(TOKENS, scale.decimals, '--tokens')
        : parseAmount(tokens, decimalsOf(call, scale), '--tokens');
    const fund = createFund(chain, faucetOf(target), { clock: systemClock, sleep });
    const input = {
      wallet,
      mint: scale.mint,
      ...(lamports !== undefined && { lamports }),
      ...(amount !== undefined && { amount }),
    };
    const { output } = await call.during('Waiting for the faucet', fund.run(input, { token: undefined }));
    const given = [
      ...(sol === undefined ? [] : [`${sol} SOL`]),
      ...(amount === undefined ? [] : [formatAmount(amount, scale)]),
    ];
    call.report(output, [`${wallet} received ${given.join(' and ')}`]);
    return 'done';
  });
}

function faucetOf({ cluster, base: url }: Target): LocalFaucet {
  const node = { name: `the ledger node of ${cluster}`, url };
  return {
    airdrop: async (owner, lamports) => String(await callNode(node, 'requestAirdrop', [owner, lamports])),
    airdropTokens: async (owner, mint, amount) =>
      String(await callNode(node, 'requestTokenAirdrop', [owner, mint, amount.toString()])),
  };
}
