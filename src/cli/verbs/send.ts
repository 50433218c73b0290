import { readScale } from './amount.ts';
import type { VerbExit } from './exit-codes.ts';
import { withLedgers } from './ledgers.ts';
import { openSigning, reportSent, requireConsent } from './signing.ts';
import { readSendTo, readTransactionWord } from './transaction-text.ts';
import type { VerbCall } from './verb-call.ts';

/** `send BASE64 | -`: explained and agreed to like anything that is signed. */
export async function runSend(call: VerbCall): Promise<VerbExit> {
  requireConsent(call);
  const transactionBase64 = await readTransactionWord(call);
  const sendTo = readSendTo(call);
  return await withLedgers(call, async (ledgers) => {
    const scale = call.has('max-amount') ? await readScale(call, ledgers.chain) : null;
    const signing = openSigning(call, ledgers, scale);
    return await reportSent(call, signing, () => signing.checked.submit(transactionBase64, sendTo));
  });
}
