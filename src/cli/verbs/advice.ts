import { PaymentsError } from '../../client/payments-error.ts';
import { TransactionRefused } from '../../kit/approve.ts';
import type { SettledLayout } from './ledgers.ts';
import type { Target } from './target.ts';
import { VerbFailure } from './verb-failure.ts';

/** A failure with advice about which command to run. */
export class Advised extends Error {
  override readonly name = 'Advised';
  override readonly cause: unknown;
  /** The advice: one sentence without a full stop. */
  readonly advice: string;

  constructor(cause: unknown, advice: string) {
    super(advice);
    this.cause = cause;
    this.advice = advice;
  }
}

const NAME_LAYOUT =
  'The ledger may run different programs than expected, and their version could not be detected: set --layout (for a localnet: b with --programs, otherwise a)';

const SET_UP_MINT = 'Run "init-mint" to set up the mint once for all wallets';

const TAKEN_FOR_HANDLE =
  'TO must be the address of a wallet ("wallet show -k FILE" prints it), or a handle with --from-balance base --to-balance base';

const PAY_ON_BASE =
  'Let the recipient run "deposit" once, or pay on base with --from-balance base --to-balance base --public';

const LOOK_AT_VERSIONS =
  'Set --service to the URL of the service, and run "doctor" to check what answers there';

/** Advice for reasons not to sign a transaction. */
const REFUSAL_ADVICE: Readonly<Record<string, string>> = {
  SIGNER: 'Pass the wallet that must sign with --keypair',
  BLOCKHASH_OF_OTHER_LEDGER: 'Pass the ledger that the transaction is for with --send-to',
  LIMIT: 'The transaction violates --to, --max-amount or --max-lamports',
};

const ADVICE: Readonly<Record<string, string>> = {
  EATA_ALREADY_DELEGATED: 'Run "undelegate" first, then "deposit" again',
  INVALID_STEALTH_TRANSFER: TAKEN_FOR_HANDLE,
  ANSWER_UNUSABLE: LOOK_AT_VERSIONS,
};

interface Worked {
  readonly settled: SettledLayout;
  readonly target: Pick<Target, 'service'>;
}

/** Adds advice about which command to run to a failure. */
export function withAdvice(error: unknown, { settled, target }: Worked): unknown {
  if (error instanceof PaymentsError && (error.code === 'NETWORK' || error.code === 'TIMEOUT')) {
    const { host } = target.service;
    const what = error.code === 'NETWORK' ? 'does not answer: is it running?' : 'did not answer in time.';
    const fix =
      'Start one with "start", or pass another with --service; run "doctor" to find out what is wrong';
    return new VerbFailure('unavailable', error.code, `The tool service at ${host} ${what} ${fix}`);
  }
  const advice = adviceOn(error, settled);
  return advice === null ? error : new Advised(error, advice);
}

function adviceOn(error: unknown, { layout, isSure }: SettledLayout): string | null {
  if (error instanceof TransactionRefused) {
    const codes = new Set(error.reasons.map(({ code }) => code));
    if (!isSure && codes.has('OTHER_LAYOUT')) return NAME_LAYOUT;
    const known = Object.keys(REFUSAL_ADVICE).find((code) => codes.has(code));
    return known === undefined ? null : (REFUSAL_ADVICE[known] as string);
  }
  if (!(error instanceof PaymentsError)) return null;
  // On layout A a deposit creates the vault.
  if (error.code === 'VAULT_NOT_INITIALIZED') return layout === 'b' ? SET_UP_MINT : null;
  // For the payer's own account the message already names "undelegate".
  if (error.code === 'EATA_NOT_DELEGATED') return error.details['field'] === 'to' ? PAY_ON_BASE : null;
  return ADVICE[error.code] ?? null;
}
