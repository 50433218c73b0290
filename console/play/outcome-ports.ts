import type { Console } from '../context/console.ts';
import type { OutcomePorts, Status } from '../payments/look-up.ts';
import type { Sent } from '../payments/submit.ts';
import type { LedgerReader } from '../readers/reader.ts';
import type { Readers } from '../readers/readers.ts';

interface Statuses {
  readonly value: readonly ({ readonly err: unknown } | null)[];
}

/** Looks up signatures: on base without a token, on the rollup with the signer's token if there is one. */
export const outcomePorts = ({ readers, state }: Pick<Console, 'readers' | 'state'>): OutcomePorts => ({
  statusOf: (sent) => {
    // The embedded rollup shows the result to anyone who knows the signature (docs/privacy.md). Others may
    // not.
    const showsAnyone = sent.sendTo === 'base' || state.peek()?.rollup.kind === 'embedded';
    return statusOf(readerFor(readers, sent), sent, showsAnyone);
  },
  heightOf: async (sent) => {
    const answer = await readerFor(readers, sent).fresh<unknown>('getBlockHeight');
    return answer.kind === 'value' && typeof answer.value === 'number' ? answer.value : null;
  },
});

const readerFor = (readers: Readers, { sendTo, wallet }: Sent): LedgerReader =>
  sendTo === 'base' ? readers.acting : (readers.owner(wallet) ?? readers.anyone);

async function statusOf(reader: LedgerReader, { signature }: Sent, showsAnyone: boolean): Promise<Status> {
  const params = [[signature], { searchTransactionHistory: true }];
  const answer = await reader.fresh<Statuses>('getSignatureStatuses', params);
  if (answer.kind === 'failed' || !Array.isArray(answer.value.value)) return 'unread';
  const status = answer.value.value[0];
  if (status === undefined) return 'unread';
  if (status !== null) return status.err === null ? 'landed' : 'failed';
  // Checks the token that was sent, because the reader's token may have expired in the meantime.
  return showsAnyone || answer.wire.token !== null ? 'absent' : 'hidden';
}
