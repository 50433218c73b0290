import type { CheckedOperation } from '../../kit/local-operations.ts';
import { decimalsOf, parseAmount, readScale, type MintScale } from './amount.ts';
import type { VerbExit } from './exit-codes.ts';
import { withLedgers } from './ledgers.ts';
import { openSigning, reportSent, requireConsent } from './signing.ts';
import type { VerbCall } from './verb-call.ts';
import { unusable } from './verb-failure.ts';

/** What is asked of the service. */
interface Asked {
  readonly operation: CheckedOperation;
  /** The arguments, with the wallet among them. */
  readonly args: (wallet: string, scale: MintScale) => Readonly<Record<string, unknown>>;
  /** Does it, where it takes more than one try. */
  readonly pay?: <T>(pay: () => Promise<T>) => Promise<T>;
}

/** Has the service build a payment, checks it against what was asked for, signs it, sends it and waits. */
export function runPayment(
  call: VerbCall,
  { operation, args, pay = (once) => once() }: Asked,
): Promise<VerbExit> {
  requireConsent(call);
  return withLedgers(call, async (ledgers) => {
    const scale = await readScale(call, ledgers.chain);
    const signing = openSigning(call, ledgers, scale);
    const request = args(signing.wallet, scale);
    return await reportSent(call, signing, () => pay(() => signing.checked.pay(operation, request)));
  });
}

/**
 * The amount of a call in base units.
 *
 * @throws {VerbFailure} `config`: as {@link parseAmount}, or it is 0.
 */
export function amountOf(call: VerbCall, text: string | undefined, scale: MintScale): bigint {
  const amount = parseAmount(text ?? '', decimalsOf(call, scale), 'AMOUNT');
  if (amount === 0n) throw unusable('AMOUNT needs to be more than 0');
  return amount;
}
