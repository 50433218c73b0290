import { hasInvisible, quoted } from '../../../errors/quoted-text.ts';
import { deriveTransferQueue } from '../../../programs/ephemeral-token/pdas.ts';
import { type Address, isAddress } from '../../../solana/address.ts';
import { faultsOfHandle, type HandleFault } from '../../stealth/handle.ts';
import type { TransferInput } from '../../transfer/input.ts';
import { keylessPayee } from '../../transfer/warnings.ts';
import { caution, danger, type Finding, type FindingCode, note } from '../finding.ts';
import type { Reading } from '../reading.ts';
import type { ParsedRequest } from '../request/check-request.ts';

/**
 * Reports the named validator. A call can name any key, and only that validator can ever undelegate. Null
 * means the delegation program's default, which differs by cluster.
 */
export function validatorFindings(r: Reading, validator: Address | null): Finding[] {
  if (validator === null) {
    const message =
      "It names no validator, so the delegation program's default validator gets the account. That validator may not run the rollup of this cluster.";
    return [caution('DEFAULT_VALIDATOR', message)];
  }
  const { clusterValidator } = r.scene;
  if (clusterValidator === validator) return [];
  if (clusterValidator === null) {
    const message = `It names validator ${validator}. Whether that validator runs the rollup of this cluster could not be checked.`;
    return [caution('OTHER_VALIDATOR', message)];
  }
  const message = `It names validator ${validator}, but ${clusterValidator} runs the rollup of this cluster: only ${validator} could return the account.`;
  return [danger('OTHER_VALIDATOR', message)];
}

/** Reports a transfer queue of another validator. The expected address is derived. */
export function queueFindings(r: Reading): Finding[] {
  const [queue, mint, validator] = [r.account('queue'), r.account('mint'), r.scene.clusterValidator];
  if (queue === null || mint === null) return [];
  if (validator === null) {
    const message = `Whether transfer queue ${queue} belongs to this cluster's validator could not be checked.`;
    return [caution('OTHER_VALIDATOR', message)];
  }
  if (deriveTransferQueue(mint, validator).address === queue) return [];
  const message = `Transfer queue ${queue} does not belong to ${validator}, which runs the rollup of this cluster.`;
  return [danger('OTHER_VALIDATOR', message)];
}

/** Reports that only programs or validators can use an instruction. */
export const notForWallets = (): Finding[] => [
  note(
    'NOT_FOR_WALLETS',
    'Only programs and validators send it: it fails or does nothing if a wallet sends it.',
  ),
];

/** Warns that the rollup commits accounts to base, where anyone can read them. */
export const settlementRequested = (givesBack: boolean): Finding =>
  caution(
    'SETTLEMENT_REQUESTED',
    `It asks the rollup to publish accounts on the base ledger${givesBack ? ' and to return them' : ''}: their private contents would become public.`,
  );

/** Reports invisible characters, which hide part of a text or imitate another one. */
export const noteFindings = (text: string): Finding[] =>
  hasInvisible(text)
    ? [caution('INVISIBLE_CHARACTERS', `The note ${quoted(text)} contains invisible characters.`)]
    : [];

/** Maps handle faults to finding codes. Invisible characters have one code in all texts. */
const CODE_OF: Readonly<Record<HandleFault['code'], FindingCode>> = {
  HANDLE_INVISIBLE_CHARACTERS: 'INVISIBLE_CHARACTERS',
  HANDLE_NOT_NORMALIZED: 'HANDLE_NOT_NORMALIZED',
  HANDLE_MIXES_SCRIPTS: 'HANDLE_MIXES_SCRIPTS',
};

/** Warns if a stealth handle resembles another one, which may then receive the payment. */
export const handleFindings = (handle: string): Finding[] =>
  faultsOfHandle(handle).map(({ code, words }) =>
    caution(CODE_OF[code], `The stealth handle ${quoted(handle)} ${words}.`),
  );

/**
 * Reports a dubious payee of a request: a handle that resembles another one, or an address that is not a
 * wallet. The bytes may contain the payee only in sealed form.
 */
export function payeeFindings(request: ParsedRequest | null): Finding[] {
  if (request?.operation !== 'transfer') return [];
  const { to } = request.arguments as Pick<TransferInput, 'to'>;
  if (!isAddress(to)) return handleFindings(to);
  const message = keylessPayee(to);
  return message === null ? [] : [caution('RECIPIENT_KEYLESS', message)];
}
