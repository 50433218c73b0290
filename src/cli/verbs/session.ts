import type { TransactionSigner } from '@solana/kit';
import type { Chain } from '../../chain/chain.ts';
import { RollupSession } from '../../kit/rollup-session.ts';
import { systemClock } from '../../ports/clock.ts';
import { printableLines, type Terminal } from './terminal.ts';
import type { VerbCall } from './verb-call.ts';

/**
 * The login of a wallet. A text that is not known as its login is signed only if somebody reads and confirms
 * it; `--yes` does not cover it.
 */
export function sessionOf({ terminal }: VerbCall, chain: Chain, wallet: TransactionSigner): RollupSession {
  return new RollupSession(chain, wallet, systemClock, async (text) => {
    if (!terminal.canAsk) return false;
    const lines = text.split('\n').map((line) => `  ${line}`);
    terminal.tell(
      `The rollup asks your wallet to sign this text, which is not a known login:\n${printableLines(lines)}\n`,
    );
    return await confirms(terminal, 'Sign it?');
  });
}

/** Asks at the terminal. Anything but a yes is a no. */
export const confirms = async (terminal: Terminal, question: string): Promise<boolean> =>
  /^y(es)?$/i.test((await terminal.ask(`${question} [y/N] `)).trim());
