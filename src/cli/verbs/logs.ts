import { isAddress } from '../../solana/address.ts';
import type { VerbCall } from './verb-call.ts';
import { unusable, type VerbExit } from './verb-failure.ts';
import { follow, type Landed } from './watch/follow.ts';

/** `logs [ADDRESS]`: program logs of both ledgers, as they land. */
export function runLogs(call: VerbCall): Promise<VerbExit> {
  const [address] = call.words;
  if (address !== undefined && !isAddress(address)) throw unusable('logs needs an address, base58');
  const mentions = address === undefined ? null : [address];
  return follow(call, async () => ({ mentions }), linesOf);
}

/** The format of Solana's CLI, with the ledger. */
const linesOf = ({ sendTo, slot, signature, err, logs }: Landed): readonly string[] => [
  `Transaction executed in slot ${slot} of ${sendTo}:`,
  `  Signature: ${signature}`,
  `  Status: ${err === null ? 'Ok' : `Error ${JSON.stringify(err)}`}`,
  '  Log Messages:',
  ...logs.map((each) => `    ${each}`),
];
