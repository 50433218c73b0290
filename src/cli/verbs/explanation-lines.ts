import type { ExplainTransactionOutput } from '../../client/generated.ts';
import { formatBaseUnits } from '../../payments/mints/common-mints.ts';

/** Decimals of a SOL: 1,000,000,000 lamports. */
const SOL_DECIMALS = 9;

/** What a transaction does, for people: the verdict first, what moves, what to know, every instruction. */
export function explanationLines(explanation: ExplainTransactionOutput): string[] {
  const { verdict, effects, findings, instructions } = explanation;
  return [
    `${verdict}: for ${explanation.sendTo} of ${explanation.cluster}, paid for by ${explanation.feePayer}`,
    ...effects.tokens.map(
      ({ owner, figure, change, mint, location }) =>
        `  ${owner ?? 'somebody'} ${figure ?? `${change ?? 'an unknown number'} base units of ${mint ?? 'a mint'}`} on ${location}`,
    ),
    ...effects.lamports.map(({ address, change }) => `  ${address} ${solOf(change)} SOL`),
    effects.rentLamportsMax === null
      ? '  rent and fee cannot be told: the rent of the cluster was not read'
      : `  at most ${solOf(effects.rentLamportsMax + (effects.networkFeeLamportsMax ?? 0n))} SOL of rent and fee`,
    ...findings.map(({ level, code, message }) => `  ${level} ${code}: ${message}`),
    ...instructions.map(({ index, program, text }) => `  ${index + 1}. ${program}: ${text}`),
  ];
}

function solOf(lamports: bigint): string {
  const sign = lamports < 0n ? '-' : '';
  return `${sign}${formatBaseUnits(lamports < 0n ? -lamports : lamports, SOL_DECIMALS)}`;
}
