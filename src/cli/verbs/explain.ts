import { LASTING } from '../../solana/commitment.ts';
import { isSignature } from '../../solana/signature.ts';
import type { VerbExit } from './exit-codes.ts';
import { explanationLines } from './explanation-lines.ts';
import { withLedgers, type Ledgers } from './ledgers.ts';
import { callNode } from './node-rpc.ts';
import type { Target } from './target.ts';
import { readSendTo, readTransactionWord } from './transaction-text.ts';
import type { VerbCall } from './verb-call.ts';
import { unusable, VerbFailure } from './verb-failure.ts';

/** `explain BASE64 | SIGNATURE | -`: by the nodes, not by a service. */
export async function runExplain(call: VerbCall): Promise<VerbExit> {
  const text = await readTransactionWord(call);
  const named = readSendTo(call);
  const wallet = call.valueOf('wallet');
  const isOffline = call.has('offline');
  if (isOffline && isSignature(text)) {
    throw unusable('--offline asks no ledger, and a signature is looked up there: pass the bytes instead');
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
 * The bytes of a transaction that has landed, on base or on the rollup.
 *
 * @throws {VerbFailure} `refused` where no ledger shows it.
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
    `No ledger of ${cluster} shows ${signature}. A private rollup shows transactions to their parties alone: pass its bytes instead, or have "watch" show it with --keypair`,
  );
}
