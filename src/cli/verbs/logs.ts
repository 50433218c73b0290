import { isAddress } from '../../solana/address.ts';
import type { VerbExit } from './exit-codes.ts';
import type { VerbCall } from './verb-call.ts';
import { unusable } from './verb-failure.ts';
import type { Landed } from './watch/feed.ts';
import { follow } from './watch/follow.ts';

/** `logs [ADDRESS]`: what programs write, of both ledgers, as it lands. */
export function runLogs(call: VerbCall): Promise<VerbExit> {
  const [address] = call.words;
  if (address !== undefined && !isAddress(address)) throw unusable('logs needs an address, base58');
  const mentions = address === undefined ? null : [address];
  return follow(call, async () => ({ mentions }), linesOf);
}

/** As Solana's CLI writes them, with the ledger before. */
const linesOf = ({ sendTo, slot, signature, err, logs }: Landed): readonly string[] => [
  `Transaction executed in slot ${slot} of ${sendTo}:`,
  `  Signature: ${signature}`,
  `  Status: ${err === null ? 'Ok' : `Error ${JSON.stringify(err)}`}`,
  '  Log Messages:',
  ...logs.map((each) => `    ${each}`),
];
