import { PaymentsError } from '../../client/payments-error.ts';
import { TransactionRefused } from '../../kit/transaction-refused.ts';
import type { SettledLayout } from './settle-layout.ts';
import type { Target } from './target.ts';
import { VerbFailure } from './verb-failure.ts';

/** A failure with what the command line has for it, which neither the service nor the checks know. */
export class Advised extends Error {
  override readonly name = 'Advised';
  override readonly cause: unknown;
  /** One sentence, without its full stop. */
  readonly advice: string;

  constructor(cause: unknown, advice: string) {
    super(advice);
    this.cause = cause;
    this.advice = advice;
  }
}

const NAME_LAYOUT =
  'The ledger may run other programs than expected, and could not be asked: name them with --layout (of a localnet, b with --programs, else a)';

/** The service names what its own arguments can do. */
const SET_UP_MINT = 'Here, "init-mint" sets the mint up, once for all wallets';

const TAKEN_FOR_HANDLE =
  'Here, TO needs the address of a wallet ("wallet show -k FILE" tells that of a keypair file), or a handle with --from-balance base --to-balance base';

const PAY_ON_BASE =
  'Here, the recipient runs "deposit" once, or --from-balance base --to-balance base --public pays on base';

const LOOK_AT_VERSIONS =
  'Here, --service names the service, and "doctor" says what answers there: one of another version may not be of use';

const ADVICE: Readonly<Record<string, string>> = {
  INVALID_STEALTH_TRANSFER: TAKEN_FOR_HANDLE,
  ANSWER_UNUSABLE: LOOK_AT_VERSIONS,
};

/** What a verb works with when it fails. */
interface Worked {
  readonly settled: SettledLayout;
  readonly target: Pick<Target, 'service'>;
}

/** A failure as the command line tells it: the same, with what may help, or in words of its own flags. */
export function inWordsOfVerbs(error: unknown, { settled, target }: Worked): unknown {
  if (error instanceof PaymentsError && (error.code === 'NETWORK' || error.code === 'TIMEOUT')) {
    const { host } = target.service;
    const what = error.code === 'NETWORK' ? 'does not answer: is it running?' : 'did not answer in time.';
    const mend = 'Start one with "start", or name another with --service; "doctor" says what is wrong';
    return new VerbFailure('unavailable', error.code, `The tool service at ${host} ${what} ${mend}`);
  }
  const advice = adviceOn(error, settled);
  return advice === null ? error : new Advised(error, advice);
}

/** What may help where a verb failed; null where its failure says all there is to say. */
function adviceOn(error: unknown, { layout, isSure }: SettledLayout): string | null {
  if (error instanceof TransactionRefused) {
    return !isSure && error.reasons.some(({ code }) => code === 'OTHER_LAYOUT') ? NAME_LAYOUT : null;
  }
  if (!(error instanceof PaymentsError)) return null;
  // On layout A a deposit makes the vault, unless it was asked for none.
  if (error.code === 'VAULT_NOT_INITIALIZED') return layout === 'b' ? SET_UP_MINT : null;
  // Of the payer's own account it says what "undelegate" needs.
  if (error.code === 'EATA_NOT_DELEGATED') return error.details['field'] === 'to' ? PAY_ON_BASE : null;
  return ADVICE[error.code] ?? null;
}
