import { describeSimulation } from '../../simulation/with-simulation.ts';
import { describeLamports, lamportChange } from '../address-book.ts';
import { describeDifference } from '../request/check-request.ts';
import type { Explanation } from './explanation-schema.ts';

/** Describes an explanation in sentences to read before signing. The first is the verdict. */
export function explanationSentences(explanation: Explanation): string[] {
  const { findings, instructions, effects, request, simulation } = explanation;
  const worst = findings.filter(({ level }) => level === 'danger');
  return [
    verdictSentence(explanation),
    ...walletSentences(explanation),
    ...(request?.differences.map((difference) => `Difference: ${describeDifference(difference)}`) ?? []),
    ...worst.map(({ message }) => `Danger: ${message}`),
    ...findings.filter(({ level }) => level === 'caution').map(({ message }) => `Caution: ${message}`),
    ...(request?.claims
      .filter(({ verdict }) => verdict === 'unverifiable')
      .map(({ message }) => `Cannot be checked: ${message}`) ?? []),
    ...instructions.map(({ index, text }) => `${index + 1}. ${text}.`),
    ...effects.tokens.map(tokenSentence),
    ...effects.lamports.map(
      ({ address, change }) => `In total, ${address} ${lamportChange(BigInt(change))}.`,
    ),
    costSentence(explanation),
    signerSentence(explanation),
    ...findings.filter(({ level }) => level === 'note').map(({ message }) => `Note: ${message}`),
    ...(simulation === undefined ? [] : [describeSimulation(simulation)]),
  ];
}

function verdictSentence({ verdict, request, findings, instructions }: Explanation): string {
  if (request?.satisfied === 'no') {
    const count = request.differences.length;
    return `DO NOT SIGN: the transaction is not the requested ${request.operation}${count === 0 ? '' : ` (${count} ${count === 1 ? 'difference' : 'differences'})`}.`;
  }
  const dangers = findings.filter(({ level }) => level === 'danger').length;
  if (verdict === 'danger') {
    return `DANGER: do not sign this transaction unless you understand the ${dangers} ${dangers === 1 ? 'danger' : 'dangers'} in it.`;
  }
  if (request?.satisfied === 'unverifiable') {
    return `Nothing differs from the requested ${request.operation}, but a part of it cannot be checked.`;
  }
  const look = verdict === 'caution' ? ', but read the cautions before you sign' : '';
  if (request !== undefined) {
    return `The transaction is exactly the requested ${request.operation}${look}.`;
  }
  const count = instructions.length;
  if (count === 0) return `It has no instructions${look}.`;
  const known = count === 1 ? 'Its one instruction is known' : `All ${count} instructions are known`;
  if (look !== '') return `${known}${look}.`;
  const none = count === 1 ? 'not unusual' : 'none is unusual';
  return `${known} and ${none}. Only you can tell whether it is what you want.`;
}

const HELD = {
  vault: ', which is the vault',
  sealed: '',
  queue: ', once the queue pays it out',
  eata: ', in the ephemeral token account, which stays there',
};

function tokenSentence(change: Explanation['effects']['tokens'][number]): string {
  const who =
    change.held === 'sealed'
      ? 'a sealed recipient'
      : (change.owner ?? change.account ?? 'an unknown account');
  const where = change.location === 'base' ? 'on the base ledger' : 'in the private balance on the rollup';
  const held = change.held === null ? '' : HELD[change.held];
  if (change.change === null)
    return `In total, ${who} gets an amount that only the chain knows, ${where}${held}.`;
  const of = change.mint === null ? 'of a mint that the bytes do not name' : `of mint ${change.mint}`;
  const units = change.change.replace('-', '');
  const shown = change.uiFigure === null ? '' : `, which wallets show as ${change.uiFigure.slice(1)}`;
  const figure =
    change.figure === null
      ? `${units} base units ${of}`
      : `${change.figure.slice(1)} (${units} base units ${of}${shown})`;
  return `In total, ${who} ${change.change.startsWith('-') ? 'loses' : 'gets'} ${figure} ${where}${held}.`;
}

function walletSentences({ wallet }: Explanation): string[] {
  if (wallet === undefined) return [];
  const leaving = wallet.tokens.filter(({ change }) => change === null || change.startsWith('-'));
  const entering = wallet.tokens.filter((token) => !leaving.includes(token));
  const lamports = wallet.lamportsMin === null ? null : BigInt(wallet.lamportsMin);
  return [
    ...(wallet.signs ? [] : [`Your wallet ${wallet.address} does not sign it.`]),
    ...[...leaving, ...entering].map((token) => `Your wallet: ${tokenSentence(token)}`),
    lamports === null
      ? "Your wallet: the lamports that leave it are unknown, because the cluster's rent was not read."
      : lamports < 0n
        ? `Your wallet: at most ${describeLamports(-lamports)} leave it, rent and network fee included.`
        : `Your wallet: no lamports leave it.`,
  ];
}

function costSentence({ effects, feePayer }: Explanation): string {
  const count = effects.accountsCreated.filter(({ exists }) => exists !== true).length;
  const { rentLamportsMax } = effects;
  const price =
    rentLamportsMax === null
      ? 'a rent that was not read'
      : `at most ${describeLamports(BigInt(rentLamportsMax))} of rent`;
  const rent =
    count === 0
      ? 'It creates no account'
      : `It creates up to ${count} ${count === 1 ? 'account' : 'accounts'}, for ${price}`;
  const fee = effects.networkFeeLamportsMax;
  return fee === null
    ? `${rent}.`
    : `${rent}; ${feePayer} pays at most ${describeLamports(BigInt(fee))} to the network.`;
}

function signerSentence({ signers }: Explanation): string {
  const words = {
    valid: 'has signed',
    missing: 'has not signed yet',
    wrong: 'has a WRONG signature',
  };
  return `${signers.map(({ address, signature }) => `${address} ${words[signature]}`).join('; ')}.`;
}
