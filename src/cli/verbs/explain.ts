import type { ExplainTransactionOutput } from '../../client/generated.ts';
import { formatBaseUnits } from '../../payments/mints/common-mints.ts';
import { LASTING } from '../../solana/commitment.ts';
import { isSignature } from '../../solana/signature.ts';
import { SOL_DECIMALS } from './amount.ts';
import { type Ledgers, withLedgers } from './ledgers.ts';
import { callNode } from './node-rpc.ts';
import type { Target } from './target.ts';
import type { VerbCall } from './verb-call.ts';
import { unusable, type VerbExit, VerbFailure } from './verb-failure.ts';

/** Runs `explain BASE64 | SIGNATURE | -`. It uses the nodes, not a service. */
export async function runExplain(call: VerbCall): Promise<VerbExit> {
  const text = await readTransactionWord(call);
  const named = readSendTo(call);
  const wallet = call.valueOf('wallet');
  const isOffline = call.has('offline');
  if (isOffline && isSignature(text)) {
    throw unusable(
      '--offline cannot look up a signature, because it uses no ledger: pass the bytes of the transaction instead',
    );
  }
  const work = async ({ target, local }: Ledgers): Promise<VerbExit> => {
    const found = isSignature(text) ? await findTransaction(target, text) : null;
    const sendTo = named ?? found?.sendTo;
    const explaining = local.explain(
      {
        transactionBase64: found?.transactionBase64 ?? text,
        ...(sendTo !== undefined && { sendTo }),
        ...(wallet !== undefined && { wallet }),
        ...(isOffline && { offline: true }),
      },
      undefined,
    );
    const explanation = await call.during('Reading the ledger', explaining);
    call.report(explanation, explanationLines(explanation));
    return 'done';
  };
  return await withLedgers(call, work, isOffline);
}

/**
 * Finds the bytes of a landed transaction on base or the rollup.
 *
 * @throws {VerbFailure} `refused` if neither ledger shows it.
 */
async function findTransaction({ cluster, base, rollup }: Target, signature: string) {
  const places = [
    { sendTo: 'base', node: { name: `the base ledger of ${cluster}`, url: base } },
    ...(rollup === null
      ? []
      : [{ sendTo: 'ephemeral', node: { name: `the rollup of ${cluster}`, url: rollup } }]),
  ] as const;
  for (const { sendTo, node } of places) {
    const config = { encoding: 'base64', commitment: LASTING, maxSupportedTransactionVersion: 1 };
    const found = (await callNode(node, 'getTransaction', [signature, config])) as {
      readonly transaction?: readonly [string, string];
    } | null;
    const transactionBase64 = found?.transaction?.[0];
    if (transactionBase64 !== undefined) return { sendTo, transactionBase64 };
  }
  throw new VerbFailure(
    'refused',
    'SIGNATURE_NOT_FOUND',
    `No ledger of ${cluster} shows ${signature}. A private rollup shows transactions only to their parties: pass the bytes instead, or use "watch" with --keypair`,
  );
}

/** Describes a transaction: the verdict, the balance changes, the findings, and every instruction. */
export function explanationLines(explanation: ExplainTransactionOutput): string[] {
  const { verdict, effects, findings, instructions } = explanation;
  return [
    `${verdict}: for ${explanation.sendTo} of ${explanation.cluster}, paid for by ${explanation.feePayer}`,
    ...effects.tokens.map(
      ({ owner, figure, change, mint, location }) =>
        `  ${owner ?? 'an unknown owner'} ${figure ?? `${change ?? 'an unknown number of'} base units of ${mint ?? 'a mint'}`} on ${location}`,
    ),
    ...effects.lamports.map(({ address, change }) => `  ${address} ${solOf(change)} SOL`),
    effects.rentLamportsMax === null
      ? '  rent and fee are unknown: the rent of the cluster was not read'
      : `  at most ${solOf(effects.rentLamportsMax + (effects.networkFeeLamportsMax ?? 0n))} SOL of rent and fee`,
    ...findings.map(({ level, code, message }) => `  ${level} ${code}: ${message}`),
    ...instructions.map(({ index, program, text }) => `  ${index + 1}. ${program}: ${text}`),
  ];
}

function solOf(lamports: bigint): string {
  const sign = lamports < 0n ? '-' : '';
  return `${sign}${formatBaseUnits(lamports < 0n ? -lamports : lamports, SOL_DECIMALS)}`;
}

/** Returns the first word, trimmed. If it is `-`, returns the whole input instead. */
export async function readTransactionWord({ words, terminal }: VerbCall): Promise<string> {
  const [word = ''] = words;
  return (word === '-' ? await terminal.readInput() : word).trim();
}

/**
 * Reads the ledger that `--send-to` names.
 *
 * @throws {VerbFailure} `config`
 */
export function readSendTo(call: VerbCall): 'base' | 'ephemeral' | undefined {
  const text = call.valueOf('send-to');
  if (text === undefined || text === 'base' || text === 'ephemeral') return text;
  throw unusable('--send-to needs base or ephemeral');
}
