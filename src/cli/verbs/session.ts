import type { TransactionSigner } from '@solana/kit';
import type { Chain } from '../../chain/chain.ts';
import { RollupSession } from '../../kit/rollup-session.ts';
import { systemClock } from '../../ports/clock.ts';
import { printableLines } from './printable.ts';
import { saysYes } from './says-yes.ts';
import type { VerbCall } from './verb-call.ts';

/**
 * The login of a wallet. A text that is not known as its login is signed where somebody reads it and says
 * yes; `--yes` is said before there is anything to read.
 */
export function sessionOf({ terminal }: VerbCall, chain: Chain, wallet: TransactionSigner): RollupSession {
  return new RollupSession(chain, wallet, systemClock, async (text) => {
    if (!terminal.canAsk) return false;
    const lines = text.split('\n').map((line) => `  ${line}`);
    terminal.tell(
      `The rollup wants your wallet to sign this, which is not known as a login:\n${printableLines(lines)}\n`,
    );
    return await saysYes(terminal, 'Sign it?');
  });
}
